// Half a red-black sweep on four nodes at once (Goodnight et al. 2003, section 6, about Bolz et al.): the four
// quadrants of a grid are in the four channels of a texel. Solution, source and each coefficient therefore need
// their own streams. Only for texels that are not at the border of their quadrant.
//
//   U = (sum over k of a_k U_k - F) / sum over k of a_k
//
//   u               .xyzw   the solution in four quadrants
//   f               .xyzw   F
//   west            .xyzw   a_k of the neighbours to the west
//   east            .xyzw   the same to the east
//   south           .xyzw   the same to the south
//   north           .xyzw   the same to the north
//   red_black_map   .xyzw   1 at red nodes, 0 at black ones
//   colour          .x      1 if red nodes get new values, 0 if black ones do
//   result          .xyzw   U after the sweep
uniform stream u;
uniform stream f;
uniform stream west;
uniform stream east;
uniform stream south;
uniform stream north;
uniform stream red_black_map;
uniform float colour;
in vec4 centers;
in vec4 west_east;
in vec4 south_north;

void main() {
    vec4 a_west = fetch(west, centers.zw);
    vec4 a_east = fetch(east, centers.zw);
    vec4 a_south = fetch(south, centers.zw);
    vec4 a_north = fetch(north, centers.zw);
    vec4 flow = a_west * fetch(u, west_east.xy) + a_east * fetch(u, west_east.zw)
        + a_south * fetch(u, south_north.xy) + a_north * fetch(u, south_north.zw);
    vec4 value = (flow - fetch(f, centers.zw)) / (a_west + a_east + a_south + a_north);
    vec4 turn = 1.0 - abs(fetch(red_black_map, centers.zw) - colour);
    result = mix(fetch(u, centers.xy), value, turn);
}
