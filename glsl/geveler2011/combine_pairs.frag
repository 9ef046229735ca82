// alpha x + beta y in pairs of floats: what a solver does with vectors beside products (Geveler et
// al. 2011, section 2.1). `pairs.glsl` holds the arithmetic.
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
    vec2 scaled = PRODUCT(alpha, fetch(x, here).xy);
    result = vec4(PLUS_PRODUCT(scaled, beta, fetch(y, here).xy), 0.0, 0.0);
}
