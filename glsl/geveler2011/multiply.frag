// Entry times entry: Jacobi's M^-1 is diagonal (Geveler et al. 2011, section 2.1). `pairs.glsl` or
// `native.glsl` holds the arithmetic.
//
//   x        .xy   high and low part of an entry
//   y        .xy   likewise
//   result   .xy   high and low part of their product
uniform stream x;
uniform stream y;

void main() {
    START(fetch(x, here).xy);
    SCALE(fetch(y, here).xy);
    result = vec4(TOTAL, 0.0, 0.0);
}
