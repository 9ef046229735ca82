// Half a red-black sweep, or a Jacobi sweep, at any node of a grid without periodic sides (Goodnight et al. 2003,
// sections 4.1.2 and 4.2, Figure 2).
//
//   U = (sum over k of a_k U_k + s gamma / beta - F) / (sum over k of a_k + s alpha / beta)
//   U = gamma / alpha   if beta = 0
//
// A node at a side has no neighbour beyond it: a_k is 0 there, and what is fetched, a texel of another grid of the
// atlas, does not count while it is finite.
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   map            .xy     the level's corner in the maps
//   result         .xyzw   U after the sweep, residual, F, 0
//
// CONDITION, SOLVED: condition.glsl or condition_folded.glsl
// RELAXED: relaxed_stored.glsl, relaxed_computed.glsl or relaxed_jacobi.glsl
// centres, west_east, south_north: neighbours.vert
// Cost: 19 instructions, 7 of them fetches, with red_black condition_folded relaxed_jacobi
uniform stream state;
uniform stream operator_map;
uniform vec2 map;
in vec4 centres;
in vec4 west_east;
in vec4 south_north;

void main() {
    vec4 centre = fetch(state, centres.xy);
    vec4 a = fetch(operator_map, centres.zw);
    vec4 condition = CONDITION(centres.zw);
    vec4 neighbours = vec4(
        fetch(state, west_east.xy).x, fetch(state, west_east.zw).x,
        fetch(state, south_north.xy).x, fetch(state, south_north.zw).x);
    float value = SOLVED(dot(a, neighbours), centre.z, a, condition);
    result = vec4(RELAXED(centre.x, value, floor(centres.zw - map), centres.zw), centre.yz, 0.0);
}
