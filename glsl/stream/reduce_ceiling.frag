// The ceiling of a reduction, for timing: each record fetches four neighbouring texels, so that every cache
// line is used in full.
//
//   result[i] = x[i] + x[i + (1,0)] + x[i + (0,1)] + x[i + (1,1)]
//
//   x        .xyzw  any records
//   result   .xyzw  the sum of four of them
uniform stream x;

void main() {
    vec2 p = here;
    result = fetch(x, p) + fetch(x, p + vec2(1.0, 0.0)) + fetch(x, p + vec2(0.0, 1.0))
           + fetch(x, p + 1.0);
}
