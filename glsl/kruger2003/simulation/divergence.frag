// The divergence of each cell, by forward differences (Krueger and Westermann 2003, section 6,
// eq. 7, which prints dF/dx + dG/dy, although G is the new u).
//
//   result = factor (G(i+1, j) - G(i, j) + F(i, j+1) - F(i, j))
//
//   velocity   .xy   G and F; cell (0, 0) is texel (2, 2)
//   factor     .x    -1 / dt for the right-hand side of the pressure
//   result     .x    one cell per texel
//
// Cost: 8 instructions, 3 of them fetches
uniform stream velocity;
uniform float factor;

void main() {
    vec2 p = here + 2.0;
    vec2 low = fetch(velocity, p).xy;
    vec2 high = vec2(fetch(velocity, p + vec2(1.0, 0.0)).x, fetch(velocity, p + vec2(0.0, 1.0)).y);
    result = vec4(factor * dot(high - low, vec2(1.0)));
}
