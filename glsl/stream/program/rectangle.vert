// The vertex program of most passes: places a rectangle's corner.
//
//   corner        .xy   column and row of the target
void main() {
    gl_Position = placed;
}
