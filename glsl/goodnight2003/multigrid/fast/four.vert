// Positions for the fragments of an interpolation (Goodnight et al. 2003, section 6). A finer node
// is at a coarser node, or halfway to the next one, so that its position need not be rounded.
//
//   target          .xy     the finer level's corner in the target
//   source          .xy     the corner of the finer level that is read
//   map             .xy     the finer level's corner in the maps
//   coarse_source   .xy     the coarser level's corner
//   centres         .xyzw   out: position of the node in the source, and in the maps
//   corners         .xyzw   out: positions of the coarser nodes to the south-west and to the north-east
uniform vec2 target;
uniform vec2 source;
uniform vec2 map;
uniform vec2 coarse_source;
out vec4 centres;
out vec4 corners;

void main() {
    gl_Position = placed;
    vec2 node = corner - target;
    centres = node.xyxy + vec4(source, map);
    corners = 0.5 * node.xyxy + coarse_source.xyxy + vec4(0.0, 0.0, 1.0, 1.0);
}
