// The nodes of the grid that a texel holds (Bolz et al. 2003, section 4.2, texture layout). Texel t, counted from
// -1 for the ring, holds node t + (p, q) * quadrant in the channel of quadrant (p, q): x for (0,0), y for (1,0),
// z for (0,1), w for (1,1). A stream with one node per texel has only the first channel and one quadrant.
//
//   quadrant   .xy    columns and rows from one quadrant to the next
//   cells      .xy    number of the last column and row of the whole grid
//   ends       .xyzw  first and last column, first and last row, beyond which there is nothing; if indices
//                     are modulo N (section 4.1), one period further out
//   kept       .xyzw  first and last column, first and last row of the nodes that are computed
//
//   COMPUTED(v)   v, and zero where the node of the fragment's own texel is not computed
//   LEFT(i)       1 if the nodes at texel i have a left neighbour, else 0; also RIGHT, BELOW, ABOVE
//   WIDTH(i)      width of the control volumes of the nodes at texel i, in units of h
//   HEIGHT(i)     their height
uniform vec2 quadrant;
uniform vec2 cells;
uniform vec4 ends;
uniform vec4 kept;

vec4 columns(vec2 i) {
    return i.x - 1.5 + vec4(0.0, quadrant.x, 0.0, quadrant.x);
}

vec4 rows(vec2 i) {
    return i.y - 1.5 + vec4(0.0, 0.0, quadrant.y, quadrant.y);
}

// Zero where the node is not computed: outside the domain, or prescribed by a Dirichlet condition. This is a
// selection, not a product, because the value there may be anything, even NaN.
vec4 computed(vec4 v) {
    vec4 column = columns(here);
    vec4 row = rows(here);
    vec4 inside = step(kept.x, column) * step(column, vec4(kept.y))
        * step(kept.z, row) * step(row, vec4(kept.w));
    return vec4(
        inside.x > 0.0 ? v.x : 0.0,
        inside.y > 0.0 ? v.y : 0.0,
        inside.z > 0.0 ? v.z : 0.0,
        inside.w > 0.0 ? v.w : 0.0);
}

vec4 left(vec2 i) {
    return step(ends.x + 0.5, columns(i));
}

vec4 right(vec2 i) {
    return step(columns(i), vec4(ends.y - 0.5));
}

vec4 below(vec2 i) {
    return step(ends.z + 0.5, rows(i));
}

vec4 above(vec2 i) {
    return step(rows(i), vec4(ends.w - 0.5));
}
#define LEFT(i) left(i)
#define RIGHT(i) right(i)
#define BELOW(i) below(i)
#define ABOVE(i) above(i)
#define WIDTH(i) (0.5 * (left(i) + right(i)))
#define HEIGHT(i) (0.5 * (below(i) + above(i)))
#define COMPUTED(v) computed(v)
