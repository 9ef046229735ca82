// The sparse product y = A x, one row a fragment (Geveler et al. 2011, section 3.2): what smoothing,
// restriction and prolongation are made of. `row.glsl` or `row_r.glsl` holds the row.
//
//   x        .xy   high and low part of an entry of x
//   result   .xy   high and low part of y

void main() {
    START(vec2(0.0));
    ADD_ROW(1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
