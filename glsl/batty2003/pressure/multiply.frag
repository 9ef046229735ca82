// The first pass of an inner product: multiplies entry by entry; SumReduce then adds the products (Batty, Wiebe,
// Houston 2003, section GPU Algorithm Implementation, and Appendix B).
//
//   result[i] = x[i] * y[i]
//
//   x        .xyzw  entries of a vector
//   y        .xyzw  entries of the other vector
//   result   .xyzw  their products
//
// Cost: 3 instructions, 2 of them fetches
uniform stream x;
uniform stream y;

void main() {
    result = fetch(x, here) * fetch(y, here);
}
