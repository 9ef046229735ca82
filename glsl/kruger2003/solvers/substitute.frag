// A step of a substitution, in place: what is known of one unknown is taken off the rows of others
// (Krueger and Westermann 2003, sections 5.2 and 7).
//
//   result[i] = before[i] - a[i, j] * x[j]             forward: the diagonal is all ones
//   result[i] = before[i] - a[i, j] * x[j] / a[j, j]   back, defined by DIVIDED
//
//   DIVIDED   defined where x[j] has yet to be divided by the diagonal's entry
//   a         .x    the matrix: columns as tiles, one entry a record
//   x         .x    the vector: rendered to, but not at j
//   before    .x    the same
//   tile      .xy   the first record of column j
//   place     .xy   the record of row j within a tile
//   result    .x    the rows with unknown j taken off
uniform stream a;
uniform stream x;
uniform stream before;
uniform vec2 tile;
uniform vec2 place;

void main() {
    vec4 known = fetch(x, place);
#ifdef DIVIDED
    known /= fetch(a, tile + place);
#endif
    result = fetch(before, here) - fetch(a, tile + here) * known;
}
