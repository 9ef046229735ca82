// A sweep of Jacobi's method in one pass; Geveler et al. 2011 (section 2.1) take three:
//
//   result = x + omega * D^-1 * (b - A x)
//
// The sum over a row is in `row.glsl` or `row_r.glsl`.
//
//   b                  .xy   high and low part of the right-hand side
//   x                  .xy   high and low part of an entry of x
//   inverse_diagonal   .xy   high and low part of an entry of D^-1
//   omega              .xy   high and low part of the damping factor
//   result             .xy   high and low part of the next x
uniform stream b;
uniform stream inverse_diagonal;
uniform vec2 omega;

void main() {
    START(fetch(b, here).xy);
    ADD_ROW(-1.0);
    SCALE(fetch(inverse_diagonal, here).xy);
    SCALE(omega);
    ADD_PRODUCT(fetch(x, here).xy, vec2(1.0, 0.0));
    result = vec4(TOTAL, 0.0, 0.0);
}
