// The ceiling of the product, for timing: its fourteen fetches at neighbouring positions, without the computation of
// the neighbours' indices (Batty, Wiebe, Houston 2003, section GPU Algorithm Implementation).
//
//   result = sum over k of mat_k * x[here + (k, 0)]
//
//   x        .xyzw  the vector
//   mat_0     .xyzw  a diagonal of the matrix, laid out like x
//   mat_1     .xyzw  the same
//   mat_2     .xyzw  the same
//   mat_3     .xyzw  the same
//   mat_4     .xyzw  the same
//   mat_5     .xyzw  the same
//   mat_6     .xyzw  the same
//   result   .xyzw  no meaning
uniform stream x;
uniform stream mat_0;
uniform stream mat_1;
uniform stream mat_2;
uniform stream mat_3;
uniform stream mat_4;
uniform stream mat_5;
uniform stream mat_6;

void main() {
    vec2 p = here;
    result = fetch(mat_0, p) * fetch(x, p)
           + fetch(mat_1, p) * fetch(x, p + vec2(1.0, 0.0))
           + fetch(mat_2, p) * fetch(x, p + vec2(2.0, 0.0))
           + fetch(mat_3, p) * fetch(x, p + vec2(3.0, 0.0))
           + fetch(mat_4, p) * fetch(x, p + vec2(4.0, 0.0))
           + fetch(mat_5, p) * fetch(x, p + vec2(5.0, 0.0))
           + fetch(mat_6, p) * fetch(x, p + vec2(6.0, 0.0));
}
