// The residual on the coarser grid: a weighted mean of nine, times four, as the mesh width doubles (Bolz et al. 2003,
// section 4.2).
//
//   c = (corners + 2 edges + 4 centre) / 4
//
//   fine     .x   the residual on the finer grid
//   result   .x   c, the right-hand side on the coarser grid
//
// STRIDED(fine): every other node
uniform stream fine;

void main() {
    vec2 p = 2.0 * here - 0.5;
    vec2 x = vec2(1.0, 0.0);
    vec2 y = vec2(0.0, 1.0);
    vec4 sides = fetch(fine, p - x) + fetch(fine, p + x);
    vec4 over = fetch(fine, p - y) + fetch(fine, p + y);
    vec4 below = fetch(fine, p - x - y) + fetch(fine, p + x - y);
    vec4 above = fetch(fine, p - x + y) + fetch(fine, p + x + y);
    result = fetch(fine, p) + 0.5 * (sides + over) + 0.25 * (below + above);
}
