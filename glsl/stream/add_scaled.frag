// A linear combination of two vectors: the only vector operation that conjugate gradients needs
// besides the inner product (Bolz et al. 2003, section 3.1).
//
//   result = x + factor * y
//
//   x        .xyzw  a vector's records
//   y        .xyzw  another's, laid out alike
//   factor   .x     the scalar
//   result   .xyzw  the combination
uniform stream x;
uniform stream y;
uniform float factor;

void main() {
    result = fetch(x, here) + factor * fetch(y, here);
}
