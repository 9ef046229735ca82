// A correction from the coarser level in one pass; Geveler et al. 2011 (section 2.1) take two:
//
//   result = u + P x
//
// The sum over a row of P is in `row.glsl` or `row_r.glsl`.
//
//   u        .xy   high and low part of an entry of the finer level's vector
//   x        .xy   high and low part of an entry of the coarser level's vector
//   result   .xy   high and low part of the next u
uniform stream u;

void main() {
    START(fetch(u, here).xy);
    ADD_ROW(1.0);
    result = vec4(TOTAL, 0.0, 0.0);
}
