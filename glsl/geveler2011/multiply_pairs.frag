// Entry times entry in pairs of floats: Jacobi's M^-1 is diagonal (Geveler et al. 2011, section 2.1).
// `pairs.glsl` holds the arithmetic.
//
//   x        .xy   high and low part of an entry
//   y        .xy   likewise
//   result   .xy   high and low part of their product
uniform stream x;
uniform stream y;

void main() {
    result = vec4(PRODUCT(fetch(x, here).xy, fetch(y, here).xy), 0.0, 0.0);
}
