// The defect in one pass, one row per fragment (Geveler et al. 2011, section 2.1).
//
//   r = b - A x
//
//   b        .xy   high and low part of the right-hand side
//   x        .xy   high and low part of an entry of x
//   result   .xy   high and low part of r; a target of one channel gets the high part
//
// ADD_ROW: row.glsl, or row_r.glsl for ELLPACK-R
// START, TOTAL: single.glsl, pairs.glsl or native.glsl
// Cost: 26 instructions, 9 of them fetches, with single packed tiles row, ROW_LENGTH=4
uniform stream b;

void main() {
    START(fetch(b, here).xy);
    ADD_ROW(-1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
