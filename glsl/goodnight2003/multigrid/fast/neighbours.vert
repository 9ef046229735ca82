// Positions for the fragments of a smoother or a residual, which need not compute them (Goodnight et al. 2003,
// section 6).
//
//   target        .xy     the level's corner in the target
//   source        .xy     the corner of the level that is read
//   map           .xy     the level's corner in the maps
//   centres       .xyzw   out: position of the node in the source, and in the maps
//   west_east     .xyzw   out: positions of its neighbours to the west and east in the source
//   south_north   .xyzw   out: the same to the south and north
uniform vec2 target;
uniform vec2 source;
uniform vec2 map;
out vec4 centres;
out vec4 west_east;
out vec4 south_north;

void main() {
    gl_Position = placed;
    vec2 node = corner - target;
    vec2 centre = node + source;
    centres = vec4(centre, node + map);
    west_east = centre.xyxy + vec4(-1.0, 0.0, 1.0, 0.0);
    south_north = centre.xyxy + vec4(0.0, -1.0, 0.0, 1.0);
}
