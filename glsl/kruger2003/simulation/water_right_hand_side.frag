// The right-hand side of a water step (Krueger and Westermann 2003, section 6).
//
//   result = u + D u_before
//
// where D is half the damping of a step, plus, on the edges, the waves' flow out of the grid.
//
//   u          .x    the height now
//   u_before   .x    the height one step ago
//   size       .xy   columns and rows
//   damping    .x    D of each cell, without the edges' part
//   outlet     .x    contribution of each face on an edge to D
//   result     .x    the right-hand side
//
// Cost: 12 instructions, 2 of them fetches
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
