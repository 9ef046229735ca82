// The defect in one pass, one row per fragment (Geveler et al. 2011, section 2.1).
//
//   r = b - A x
//
// The sum over a row is in `row.glsl` or `row_r.glsl`.
//
//   b        .xy   high and low part of the right-hand side
//   x        .xy   high and low part of an entry of x
//   result   .xy   high and low part of r; a target of one channel gets the high part
uniform stream b;

void main() {
    START(fetch(b, here).xy);
    ADD_ROW(-1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
