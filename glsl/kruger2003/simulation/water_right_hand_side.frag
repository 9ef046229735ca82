// The right-hand side of a step of the water (Krueger and Westermann 2003, section 6).
//
//   result = u + D u_before
//
// where D holds half the damping of a step, and on the edges what waves carry out of the grid.
//
//   u          .x    the height now
//   u_before   .x    the height a step ago
//   size       .xy   columns and rows
//   damping    .x    D of every cell
//   outlet     .x    what each face on an edge adds to it
//   result     .x    the right-hand side
uniform stream u;
uniform stream u_before;
uniform vec2 size;
uniform float damping;
uniform float outlet;

void main() {
    vec2 low = 1.0 - step(vec2(1.0), here);
    vec2 high = step(size - 1.0, here);
    float faces = dot(low + high, vec2(1.0));
    result = fetch(u, here) + (damping + outlet * faces) * fetch(u_before, here);
}
