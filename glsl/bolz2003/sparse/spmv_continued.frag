// A further pass of a sparse matrix-vector product, for rows that are too long for one program (Bolz et al. 2003,
// section 3.1.1, notes). The segment of a long row is split into parts on consecutive lines.
//
//   j = R[i] + (0, PART);   y[i] = before[i] + sum over c < ROW_LENGTH of A_j[j + c] * x[C[j + c]]
//
//   before            .xyzw the sum of the passes before, laid out like x
//   offdiagonal       .x    a_ij, the segments of all rows one after the other
//   row_pointer       .xy   R: position of the first entry of row i in offdiagonal
//   column_pointer    .xy   C: position of x_j in x, laid out like offdiagonal
//   x                 .xyzw the vector: one to four unknowns per record (unused channels zero)
//   part              .x    PART: the number of this pass, from 1
//   result            .xyzw the sum so far
//
// RANDOM(x): any position that a column pointer gives
//
// Cost: 34 instructions, 20 of them fetches, with ROW_LENGTH=6
uniform stream before;
uniform stream offdiagonal;
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream x;
uniform float part;

void main() {
    vec2 j = fetch(row_pointer, here).xy + vec2(0.0, part);
    vec4 sum = fetch(before, here);
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        sum += fetch(offdiagonal, j).x * fetch(x, fetch(column_pointer, j).xy);
        j.x += 1.0;
    }
    result = sum;
}
