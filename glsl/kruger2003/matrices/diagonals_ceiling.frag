// The ceiling of a product with five diagonals, for timing: the same fetches at neighbouring positions, without the
// computation of the indices into x (Krueger and Westermann 2003, section 3.2).
//
//   result[j] = sum over k of d_k[j] * x[j + (k, 0)]
//
//   x        .xyzw  the vector
//   d0       .xyzw  a diagonal, laid out like x
//   d1       .xyzw  the same
//   d2       .xyzw  the same
//   d3       .xyzw  the same
//   d4       .xyzw  the same
//   result   .xyzw  no meaning
uniform stream x;
uniform stream d0;
uniform stream d1;
uniform stream d2;
uniform stream d3;
uniform stream d4;

void main() {
    vec2 p = here;
    result = fetch(d0, p) * fetch(x, p)
           + fetch(d1, p) * fetch(x, p + vec2(1.0, 0.0))
           + fetch(d2, p) * fetch(x, p + vec2(2.0, 0.0))
           + fetch(d3, p) * fetch(x, p + vec2(3.0, 0.0))
           + fetch(d4, p) * fetch(x, p + vec2(4.0, 0.0));
}
