// Half a red-black sweep, or a Jacobi sweep, at nodes that are not at a side (Goodnight et al. 2003,
// sections 4.1.2 and 4.2).
//
//   U = (sum over k of a_k U_k - F) / sum over k of a_k
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   map            .xy     the level's corner in the maps
//   result         .xyzw   U after the sweep, residual, F, 0
//
// RELAXED: relaxed_stored.glsl, relaxed_computed.glsl or relaxed_jacobi.glsl
// centres, west_east, south_north: neighbours.vert
// Cost: 19 instructions, 7 of them fetches, with red_black relaxed_stored
uniform stream state;
uniform stream operator_map;
uniform vec2 map;
in vec4 centres;
in vec4 west_east;
in vec4 south_north;

void main() {
    vec4 centre = fetch(state, centres.xy);
    vec4 a = fetch(operator_map, centres.zw);
    vec4 neighbours = vec4(
        fetch(state, west_east.xy).x, fetch(state, west_east.zw).x,
        fetch(state, south_north.xy).x, fetch(state, south_north.zw).x);
    float value = (dot(a, neighbours) - centre.z) / dot(a, vec4(1.0));
    result = vec4(RELAXED(centre.x, value, floor(centres.zw - map), centres.zw), centre.yz, 0.0);
}
