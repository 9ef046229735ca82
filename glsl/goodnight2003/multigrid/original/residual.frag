// The residual: the original program, before optimisation (Goodnight et al. 2003, section 4.1.3).
//
//   r = F - sum over k of a_k (U_k - U) - s (gamma - alpha U) / beta;   0 if beta = 0
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   result         .xyzw   U, r, F, 0
//
// NODE, BEFORE, BEHIND: general.glsl
// CONDITION, RESIDUAL: condition.glsl or condition_folded.glsl
// Cost: 66 instructions, 7 of them fetches, with general red_black condition_folded
uniform stream state;
uniform stream operator_map;

void main() {
    float column = NODE(floor(here.x - target.x), size.x, periodic.x);
    float row = NODE(floor(here.y - target.y), size.y, periodic.y);
    float x = source.x + column + 0.5;
    float y = source.y + row + 0.5;
    float west_x = source.x + BEFORE(column, size.x, periodic.x) + 0.5;
    float east_x = source.x + BEHIND(column, size.x) + 0.5;
    float south_y = source.y + BEFORE(row, size.y, periodic.y) + 0.5;
    float north_y = source.y + BEHIND(row, size.y) + 0.5;
    vec4 center = fetch(state, vec2(x, y));
    float west = fetch(state, vec2(west_x, y)).x;
    float east = fetch(state, vec2(east_x, y)).x;
    float south = fetch(state, vec2(x, south_y)).x;
    float north = fetch(state, vec2(x, north_y)).x;
    vec2 at_map = vec2(map.x + column + 0.5, map.y + row + 0.5);
    vec4 a = fetch(operator_map, at_map);
    vec4 condition = CONDITION(at_map);

    float flow = a.x * (west - center.x) + a.y * (east - center.x)
        + a.z * (south - center.x) + a.w * (north - center.x);
    result = vec4(center.x, RESIDUAL(flow, center.z, center.x, condition), center.z, 0.0);
}
