// Positions for the fragments of a restriction (Goodnight et al. 2003, section 6).
//
//   target        .xy     the coarser level's corner in the target
//   fine_source   .xy     the finer level's corner
//   centre        .xy     out: position of the node in the finer level
//   corners       .xyzw   out: positions of its neighbours to the south-west and to the north-east
uniform vec2 target;
uniform vec2 fine_source;
out vec2 centre;
out vec4 corners;

void main() {
    gl_Position = placed;
    centre = 2.0 * (corner - target) - 0.5 + fine_source;
    corners = centre.xyxy + vec4(-1.0, -1.0, 1.0, 1.0);
}
