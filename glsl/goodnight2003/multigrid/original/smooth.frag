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
// NODE, BEFORE, BEHIND: general.glsl
// CONDITION, SOLVED: condition.glsl or condition_folded.glsl
// RELAXED: relaxed_stored.glsl, relaxed_computed.glsl or relaxed_jacobi.glsl
// Cost: 75 instructions, 7 of them fetches, with general red_black condition_folded relaxed_computed
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

    float flow = a.x * west + a.y * east + a.z * south + a.w * north;
    float value = SOLVED(flow, center.z, a, condition);
    float u = RELAXED(center.x, value, vec2(column, row), at_map);
    result = vec4(u, center.y, center.z, 0.0);
}
