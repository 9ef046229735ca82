// A step of a substitution, in place: subtracts the term of a known unknown from the rows of the others
// (Krueger and Westermann 2003, sections 5.2 and 7).
//
//   result[i] = before[i] - a[i, j] * x[j]             forward: the diagonal is all ones
//   result[i] = before[i] - a[i, j] * x[j] / a[j, j]   backward, if DIVIDED is defined
//
//   DIVIDED   defined if x[j] has yet to be divided by the diagonal entry
//   a         .x    the matrix: columns as tiles, one entry per record
//   x         .x    the vector: also the target, but not at j
//   before    .x    the same vector
//   tile      .xy   the first record of column j
//   place     .xy   the record of row j within a tile
//   result    .x    the rows without the term of unknown j
//
// Cost: 5 instructions, 3 of them fetches
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
