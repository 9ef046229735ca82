// alpha x + beta y: what a solver does with vectors beside products (Geveler et al. 2011, section 2.1).
// `pairs.glsl` or `native.glsl` holds the arithmetic.
//
//   x        .xy   high and low part of an entry
//   y        .xy   likewise; a stream of one channel has no low part
//   alpha    .xy   high and low part of the factor of x
//   beta     .xy   that of y
//   result   .xy   high and low part of the sum
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
