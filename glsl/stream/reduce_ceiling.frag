// What a pass of a reduction can at best take: four fetches next to each other for one record.
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
