// The correction: the error that the coarser grid has found, interpolated between its nodes (Bolz et al. 2003,
// section 4.2).
//
//   v = u + (the mean of the four nearest values on the coarser grid)
//
//   u        .x   the solution so far
//   coarse   .x   the error on the coarser grid
//   result   .x   v
uniform stream u;
uniform stream coarse;

void main() {
    vec2 p = 0.5 * here;
    vec2 q = p + 0.5;
    vec4 below = fetch(coarse, p) + fetch(coarse, vec2(q.x, p.y));
    vec4 above = fetch(coarse, vec2(p.x, q.y)) + fetch(coarse, q);
    result = fetch(u, here) + 0.25 * (below + above);
}
