// The method that the paper rejects, first pass: a matrix as one texture times a periodic vector, entry by entry
// (Krueger and Westermann 2003, section 2, Fig. 2).
//
//   result[i, j] = a[i, j] * x[j]
//
//   a        .x    the matrix: one entry per texel, column j of the matrix in column j of the texture
//   x        .x    the vector, in one row
//   result   .x    the products, whose sums along the rows are the product of the matrix with the vector
//
// Cost: 5 instructions, 2 of them fetches
uniform stream a;
uniform stream x;

void main() {
    result = fetch(a, here) * fetch(x, vec2(here.x, 0.5));
}
