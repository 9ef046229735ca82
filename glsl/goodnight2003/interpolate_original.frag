// The coarser grid's correction is interpolated and added (Goodnight et al. 2003, section 4.1.5),
// as it is first written (after general.glsl and weight.glsl).
//
//   U = U + (1 - v) ((1 - w) c00 + w c10) + v ((1 - w) c01 + w c11)
//
//   state           .xyz    U, residual, F
//   coarse          .x      the correction
//   coarse_source   .xy     the coarser level's corner
//   coarse_size     .xy     its columns and rows
//   last_weight     .xy     the weights of the finer grid's last odd column and row
//   result          .xyzw   new U, residual, F, 0
uniform stream state;
uniform stream coarse;
uniform vec2 coarse_source;
uniform vec2 coarse_size;
uniform vec2 last_weight;

float correction(float column, float row) {
    return fetch(coarse, vec2(coarse_source.x + column + 0.5, coarse_source.y + row + 0.5)).x;
}

void main() {
    float column = floor(here.x - target.x);
    float row = floor(here.y - target.y);
    float left = floor(0.5 * column);
    float right = min(left + 1.0, coarse_size.x - 1.0);
    float lower = floor(0.5 * row);
    float upper = min(lower + 1.0, coarse_size.y - 1.0);
    float w = weight(column, size.x, last_weight.x);
    float v = weight(row, size.y, last_weight.y);
    float below = (1.0 - w) * correction(left, lower) + w * correction(right, lower);
    float above = (1.0 - w) * correction(left, upper) + w * correction(right, upper);
    vec4 center = fetch(state, vec2(source.x + column + 0.5, source.y + row + 0.5));
    float u = center.x + (1.0 - v) * below + v * above;
    result = vec4(u, center.y, center.z, 0.0);
}
