// The product of two vectors, entry by entry: Jacobi's M^-1 is diagonal (Geveler et al. 2011, section 2.1).
//
//   result = x * y
//
//   x        .xy   high and low part of an entry
//   y        .xy   the same
//   result   .xy   high and low part of their product
//
// START, SCALE, TOTAL: pairs.glsl or native.glsl
// Cost: 37 instructions, 2 of them fetches, with stream/error_free pairs
uniform stream x;
uniform stream y;

void main() {
    START(fetch(x, here).xy);
    SCALE(fetch(y, here).xy);
    result = vec4(TOTAL, 0.0, 0.0);
}
