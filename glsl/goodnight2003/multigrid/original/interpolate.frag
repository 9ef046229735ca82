// Interpolates the coarser grid's correction and adds it: the original program, before optimisation (Goodnight et
// al. 2003, section 4.1.5).
//
//   U = U + (1 - v) ((1 - w) c00 + w c10) + v ((1 - w) c01 + w c11)
//
//   state           .xyz    U, residual, F
//   coarse          .x      the correction
//   coarse_source   .xy     the coarser level's corner
//   coarse_size     .xy     the coarser level's columns and rows
//   end             .xy     the finer grid's last column and row, in units of its other intervals
//   result          .xyzw   new U, residual, F, 0
//
// NODE: general.glsl; WEIGHT: weight_even.glsl or weight_uneven.glsl
// Cost: 67 instructions, 5 of them fetches, with general weight_even
uniform stream state;
uniform stream coarse;
uniform vec2 coarse_source;
uniform vec2 coarse_size;
uniform vec2 end;

float correction(float column, float row) {
    return fetch(coarse, vec2(coarse_source.x + column + 0.5, coarse_source.y + row + 0.5)).x;
}

void main() {
    float column = NODE(floor(here.x - target.x), size.x, periodic.x);
    float row = NODE(floor(here.y - target.y), size.y, periodic.y);
    float left = max(min(floor(0.5 * column), coarse_size.x - 2.0), 0.0);
    float lower = max(min(floor(0.5 * row), coarse_size.y - 2.0), 0.0);
    float right = min(left + 1.0, coarse_size.x - 1.0);
    float upper = min(lower + 1.0, coarse_size.y - 1.0);
    float w = WEIGHT(column, left + 1.0, vec2(size.x, coarse_size.x), end.x);
    float v = WEIGHT(row, lower + 1.0, vec2(size.y, coarse_size.y), end.y);
    float below = (1.0 - w) * correction(left, lower) + w * correction(right, lower);
    float above = (1.0 - w) * correction(left, upper) + w * correction(right, upper);
    vec4 centre = fetch(state, vec2(source.x + column + 0.5, source.y + row + 0.5));
    float u = centre.x + (1.0 - v) * below + v * above;
    result = vec4(u, centre.y, centre.z, 0.0);
}
