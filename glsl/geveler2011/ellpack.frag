// The sparse matrix-vector product (SpMV) in ELLPACK, one row per fragment (Geveler et al. 2011, section 3.2).
// Smoothing, restriction and prolongation are made of it.
//
//   y[i] = sum over k < ROW_LENGTH of A[i, k] * x[j[i, k]]
//
//   x        .xy   high and low part of an entry of x
//   result   .xy   high and low part of y
//
// ADD_ROW: row.glsl, or row_r.glsl for ELLPACK-R
// START, TOTAL: single.glsl, pairs.glsl or native.glsl
// Cost: 25 instructions, 8 of them fetches, with single packed tiles row, ROW_LENGTH=4

void main() {
    START(vec2(0.0));
    ADD_ROW(1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
