// The diagonal matrix entries of geometric flow, one row per fragment (Bolz et al. 2003, section 3.1.2). The
// program has the structure of a matrix-vector product.
//
//   A_i[i] = sum over c < ROW_LENGTH of 4 Area(x_i, x_jp, x_j) - A_j[R[i] + c]
//
// Each triangle at i precedes one neighbour j, so that its area is counted once. In padding x_j, x_jp and A_j
// are all zero; both edges start at x_j, so that the area is exactly zero too.
//
//   offdiagonal       .x    a_ij, the segments of all rows one after the other
//   row_pointer       .xy   R: position of the first entry of row i in offdiagonal
//   column_pointer    .xy   C: position of x_j in x, laid out like offdiagonal
//   previous          .xy   P: position of x_jp in x, laid out like offdiagonal
//   x                 .xyz  vertex positions, in units of length
//   result            .x    a_ii, in units of area
//
// RANDOM(x): any position that a column pointer gives
//
// Cost: 75 instructions, 27 of them fetches, with ROW_LENGTH=5
uniform stream offdiagonal;
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream previous;
uniform stream x;

void main() {
    vec2 j = fetch(row_pointer, here).xy;
    vec3 x_i = fetch(x, here).xyz;
    float sum = 0.0;
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        vec3 x_j = fetch(x, fetch(column_pointer, j).xy).xyz;
        vec3 x_jp = fetch(x, fetch(previous, j).xy).xyz;
        sum += 2.0 * length(cross(x_i - x_j, x_jp - x_j)) - fetch(offdiagonal, j).x;
        j.x += 1.0;
    }
    result = vec4(sum);
}
