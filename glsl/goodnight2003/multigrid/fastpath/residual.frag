// The residual at nodes that are not at a side (Goodnight et al. 2003, sections 4.1.3 and 4.2).
//
//   r = F - sum over k of a_k (U_k - U)
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   result         .xyzw   U, r, F, 0
//
// centres, west_east, south_north: neighbours.vert
// Cost: 14 instructions, 6 of them fetches
uniform stream state;
uniform stream operator_map;
in vec4 centres;
in vec4 west_east;
in vec4 south_north;

void main() {
    vec4 centre = fetch(state, centres.xy);
    vec4 a = fetch(operator_map, centres.zw);
    vec4 neighbours = vec4(
        fetch(state, west_east.xy).x, fetch(state, west_east.zw).x,
        fetch(state, south_north.xy).x, fetch(state, south_north.zw).x);
    float r = centre.z - dot(a, neighbours - centre.x);
    result = vec4(centre.x, r, centre.z, 0.0);
}
