// A vector operation with one operand (Krueger and Westermann 2003, section 3.1).
//
//   result = alpha x
//
//   x        .xyzw  entries of a vector: one per record, or four consecutive ones
//   alpha    .x     the factor
//   result   .xyzw  the entries of the result
//
// Cost: 2 instructions, 1 of them a fetch
uniform stream x;
uniform float alpha;

void main() {
    result = alpha * fetch(x, here);
}
