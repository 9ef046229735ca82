// The residual: by how much each equation is not satisfied (Bolz et al. 2003, section 4.2).
//
//   r = b - (4 u - left - right - below - above)
//
//   u        .x   the solution so far
//   b        .x   the right-hand side, times the square of the mesh width
//   result   .x   r
uniform stream u;
uniform stream b;

void main() {
    vec2 x = vec2(1.0, 0.0);
    vec2 y = vec2(0.0, 1.0);
    vec4 sides = fetch(u, here - x) + fetch(u, here + x);
    vec4 over = fetch(u, here - y) + fetch(u, here + y);
    result = fetch(b, here) - (4.0 * fetch(u, here) - (sides + over));
}
