// The sparse product y = A x, one row a fragment (Geveler et al. 2011, section 3.2): what smoothing,
// restriction and prolongation are made of. `row.glsl` holds the row, `single.glsl` or `pairs.glsl`
// the arithmetic.
//
//   matrix   .xyzw  high and low part of an entry of A, and the position of its x
//   x        .xy    high and low part of an entry of x
//   result   .xy    high and low part of y

void main() {
    result = vec4(ROW_TIMES_X(vec2(0.0), 1.0), 0.0, 0.0);
}
