// The defect r = b - A x in one pass, one row a fragment (Geveler et al. 2011, section 2.1).
// `row.glsl` or `row_r.glsl` holds the row.
//
//   b        .xy   high and low part of the right side
//   x        .xy   high and low part of an entry of x
//   result   .xy   high and low part of r; into a target of one channel goes the high part
uniform stream b;

void main() {
    START(fetch(b, here).xy);
    ADD_ROW(-1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
