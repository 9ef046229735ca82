// Half a red-black sweep, or a Jacobi sweep: the original program, before optimisation. Each fragment computes its
// column, its row and its neighbours (Goodnight et al. 2003, section 4.1.2).
//
//   U = (sum over k of a_k U_k + s gamma / beta - F) / (sum over k of a_k + s alpha / beta)
//   U = gamma / alpha   if beta = 0
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   result         .xyzw   U after the sweep, residual, F, 0
//
// NODE, NEIGHBOURS: general.glsl
// CONDITION, SOLVED: condition.glsl or condition_folded.glsl
// RELAXED: relaxed_stored.glsl, relaxed_computed.glsl or relaxed_jacobi.glsl
// Cost: 75 instructions, 7 of them fetches, with general red_black condition_folded relaxed_computed
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

    float flow = a.x * beside.x + a.y * beside.y + a.z * beside.z + a.w * beside.w;
    float value = SOLVED(flow, centre.z, a, condition);
    float u = RELAXED(centre.x, value, vec2(column, row), at_map);
    result = vec4(u, centre.y, centre.z, 0.0);
}
