// The ceiling of a sparse matrix-vector product, for timing (Bolz et al. 2003, section 3.3): the same number of
// fetches from each stream as in spmv.frag, of the same number of records, but at neighbouring positions that are
// known beforehand.
//
//   result[i] = diagonal[i] x[i] + sum over c < ROW_LENGTH of offdiagonal[i + o] x[i + (c, 0)]
//
// where o = (c mod COLUMNS, c / COLUMNS) * extent is another part of the matrix for each c, so that each entry is
// read once. With extent = 0 the same few entries are read again and again. The pointers are fetched as well, and
// scaled to zero.
//
//   COLUMNS           parts of the matrix side by side
//   diagonal          .x    as for spmv.frag
//   offdiagonal       .x    a_ij, in parts laid out like x
//   row_pointer       .xy   as for spmv.frag
//   column_pointer    .xy   laid out like offdiagonal
//   x                 .xyzw as for spmv.frag
//   extent            .xy   columns and rows of x, or zero
//   result            .xyzw no meaning
uniform stream diagonal;
uniform stream offdiagonal;
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream x;
uniform vec2 extent;

void main() {
    vec2 j = here;
    vec2 pointers = fetch(row_pointer, here).xy;
    vec4 sum = fetch(diagonal, here).x * fetch(x, here);
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        vec2 part = here + vec2(mod(c, COLUMNS), floor(c / COLUMNS)) * extent;
        sum += fetch(offdiagonal, part).x * fetch(x, j);
        pointers += fetch(column_pointer, part).xy;
        j.x += 1.0;
    }
    result = sum + 1e-30 * pointers.xyxy;
}
