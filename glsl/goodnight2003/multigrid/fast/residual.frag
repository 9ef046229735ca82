// The residual at any node of a grid without periodic sides (Goodnight et al. 2003, sections 4.1.3 and 4.2,
// Figure 2).
//
//   r = F - sum over k of a_k (U_k - U) - s (gamma - alpha U) / beta;   0 if beta = 0
//
// At a side a_k is 0 for the neighbour beyond it, as in smooth.frag.
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   result         .xyzw   U, r, F, 0
//
// CONDITION, RESIDUAL: condition.glsl or condition_folded.glsl
// centres, west_east, south_north: neighbours.vert
// Cost: 16 instructions, 7 of them fetches, with red_black condition_folded
uniform stream state;
uniform stream operator_map;
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
    float r = RESIDUAL(dot(a, neighbours - centre.x), centre.z, centre.x, condition);
    result = vec4(centre.x, r, centre.z, 0.0);
}
