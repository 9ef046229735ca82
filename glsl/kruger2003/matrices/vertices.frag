// One entry of a sparse matrix, a vertex drawn as a point: adds the product of the entry with the vector to its
// row, where the point is drawn (Krueger and Westermann 2003, section 4.2).
//
//   result[i] = before[i] + a_ij * x[j]
//
//   value    .x     a_ij, the vertex's colour
//   at       .xy    position of x_j, the vertex's texture coordinate
//   x        .x     the vector, one entry per record
//   before   .x     the sum so far
//   result   .x     the sum
//
// RANDOM(x): any position that a point gives
//
// Cost: 3 instructions, 2 of them fetches
uniform stream x;
uniform stream before;
in float value;
in vec2 at;

void main() {
    result = fetch(before, here) + value * fetch(x, at);
}
