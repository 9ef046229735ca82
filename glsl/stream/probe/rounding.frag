// A known answer: the sum and the product of two floats, each with its rounding error. A driver's compiler may have
// simplified these errors to zero.
//
//   x        .x     any float
//   y        .x     any float
//   result   .xyzw  x + y, its error, x * y, its error
//
// TWO_SUM, TWO_PRODUCT: error_free.glsl
// Cost: 25 instructions, 2 of them fetches, with error_free
uniform stream x;
uniform stream y;

void main() {
    float a = fetch(x, here).x;
    float b = fetch(y, here).x;
    result = vec4(TWO_SUM(a, b), TWO_PRODUCT(a, b));
}
