// A damped Jacobi sweep: each node moves towards the mean of its neighbours (Bolz et al. 2003, section 4.2).
//
//   v = u + omega (mean - u),   mean = (left + right + below + above + b) / 4
//
//   u        .x   the solution so far
//   b        .x   the right-hand side, times the square of the mesh width
//   omega    .x   the damping factor
//   result   .x   v
uniform stream u;
uniform stream b;
uniform float omega;

void main() {
    vec2 x = vec2(1.0, 0.0);
    vec2 y = vec2(0.0, 1.0);
    vec4 old = fetch(u, here);
    vec4 sides = fetch(u, here - x) + fetch(u, here + x);
    vec4 over = fetch(u, here - y) + fetch(u, here + y);
    vec4 mean = 0.25 * (sides + over + fetch(b, here));
    result = old + omega * (mean - old);
}
