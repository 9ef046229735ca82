// The defect r = b - A x in one pass, one row a fragment (Geveler et al. 2011, section 2.1).
// `row.glsl` holds the row, `single.glsl` or `pairs.glsl` the arithmetic.
//
//   b        .xy    high and low part of the right side
//   matrix   .xyzw  high and low part of an entry of A, and the position of its x
//   x        .xy    high and low part of an entry of x
//   result   .xy    high and low part of r; into a target of one channel goes the high part
uniform stream b;

void main() {
    result = vec4(ROW_TIMES_X(fetch(b, here).xy, -1.0), 0.0, 0.0);
}
