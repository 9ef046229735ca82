// One entry of a sparse matrix, a vertex that is rendered as a point: adds its product with an
// entry of the vector to the row that it lies on (Krueger and Westermann 2003, section 4.2).
//
//   result[i] = before[i] + a_ij * x[j]
//
//   value    .x     a_ij, the vertex's colour
//   at       .xy    where x_j lies, the vertex's texture coordinate
//   x        .x     the vector, one entry a record
//   before   .x     the sum so far
//   result   .x     the sum
//
// RANDOM(x): wherever the points lead
uniform stream x;
uniform stream before;
in float value;
in vec2 at;

void main() {
    result = fetch(before, here) + value * fetch(x, at);
}
