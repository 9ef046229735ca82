// Sparse matrix-vector product (SpMV), one row per fragment (Bolz et al. 2003, section 3.1.1):
//
//   j = R[i];   y[i] = A_i[i] * x[i] + sum over c < ROW_LENGTH of A_j[j + c] * x[C[j + c]]
//
// One program for each ROW_LENGTH; shorter rows are padded with zeros that point to a zero.
//
//   diagonal          .x    a_ii, laid out like x
//   offdiagonal       .x    a_ij, the segments of all rows one after the other
//   row_pointer       .xy   R: position of the first entry of row i in offdiagonal
//   column_pointer    .xy   C: position of x_j in x, laid out like offdiagonal
//   x                 .xyzw the vector: one to four unknowns per record (unused channels zero)
//   result            .xyzw y_i, each channel the product with that channel of x
//
// RANDOM(x): any position that a column pointer gives
//
// Cost: 33 instructions, 21 of them fetches, with ROW_LENGTH=6
uniform stream diagonal;
uniform stream offdiagonal;
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream x;

void main() {
    vec2 j = fetch(row_pointer, here).xy;
    vec4 sum = fetch(diagonal, here).x * fetch(x, here);
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        sum += fetch(offdiagonal, j).x * fetch(x, fetch(column_pointer, j).xy);
        j.x += 1.0;
    }
    result = sum;
}
