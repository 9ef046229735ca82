// The method that the paper rejects, all other passes: sums along the rows of a texture, of two texels each (Krueger
// and Westermann 2003, section 2, Fig. 2).
//
//   result[i, j] = x[i, 2j] + x[i, 2j + 1]
//
//   x        .x    the terms of each row
//   result   .x    half as many terms per row
//
// STRIDED(x): every other record of each row
//
// Cost: 6 instructions, 2 of them fetches
uniform stream x;

void main() {
    vec2 p = vec2(2.0 * here.x - 0.5, here.y);
    result = fetch(x, p) + fetch(x, p + vec2(1.0, 0.0));
}
