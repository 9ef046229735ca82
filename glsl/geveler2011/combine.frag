// The linear combination of two vectors, a solver's operation other than the product (Geveler et al. 2011,
// section 2.1).
//
//   result = alpha x + beta y
//
//   x        .xy   high and low part of an entry
//   y        .xy   the same; a stream of one channel has no low part
//   alpha    .xy   high and low part of the factor of x
//   beta     .xy   high and low part of the factor of y
//   result   .xy   high and low part of the sum
//
// START, ADD_PRODUCT, SCALE, TOTAL: pairs.glsl or native.glsl
// Cost: 67 instructions, 2 of them fetches, with stream/error_free pairs
uniform stream x;
uniform stream y;
uniform vec2 alpha;
uniform vec2 beta;

void main() {
    START(fetch(x, here).xy);
    SCALE(alpha);
    ADD_PRODUCT(beta, fetch(y, here).xy);
    result = vec4(TOTAL, 0.0, 0.0);
}
