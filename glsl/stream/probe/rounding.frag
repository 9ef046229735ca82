// A known answer: sum and product of two floats with the errors of their rounding, which a driver's
// compiler may have simplified away. `error_free.glsl` holds the arithmetic.
//
//   x        .x     any float
//   y        .x     any float
//   result   .xyzw  x + y, its error, x * y, its error
uniform stream x;
uniform stream y;

void main() {
    float a = fetch(x, here).x;
    float b = fetch(y, here).x;
    result = vec4(TWO_SUM(a, b), TWO_PRODUCT(a, b));
}
