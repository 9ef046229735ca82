// The residual: the original program, before optimisation (Goodnight et al. 2003, section 4.1.3).
//
//   r = F - sum over k of a_k (U_k - U) - s (gamma - alpha U) / beta;   0 if beta = 0
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   result         .xyzw   U, r, F, 0
//
// NODE, NEIGHBOURS: general.glsl
// CONDITION, RESIDUAL: condition.glsl or condition_folded.glsl
// Cost: 66 instructions, 7 of them fetches, with general red_black condition_folded
uniform stream state;
uniform stream operator_map;

void main() {
    float column = NODE(floor(here.x - target.x), size.x, periodic.x);
    float row = NODE(floor(here.y - target.y), size.y, periodic.y);
    vec4 centre = fetch(state, vec2(source.x + column + 0.5, source.y + row + 0.5));
    vec4 beside = NEIGHBOURS(state, column, row);
    vec2 at_map = vec2(map.x + column + 0.5, map.y + row + 0.5);
    vec4 a = fetch(operator_map, at_map);
    vec4 condition = CONDITION(at_map);

    float flow = a.x * (beside.x - centre.x) + a.y * (beside.y - centre.x)
        + a.z * (beside.z - centre.x) + a.w * (beside.w - centre.x);
    result = vec4(centre.x, RESIDUAL(flow, centre.z, centre.x, condition), centre.z, 0.0);
}
