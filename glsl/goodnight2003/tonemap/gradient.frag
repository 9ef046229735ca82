// The magnitude of the gradient on a level of the pyramid (Fattal et al. 2002, section 4): central
// differences, and one-sided ones at the border, where a neighbour is missing.
//
//   result = |((H(x+1, y) - H(x-1, y)) / 2, (H(x, y+1) - H(x, y-1)) / 2)| / spacing
//
//   level    .x    H on this level
//   size     .xy   the level's columns and rows
//   spacing  .x    pixels of the picture from one sample to the next: 2^k on level k
//   result   .x    the magnitude, per pixel of the picture
//
// Cost: 28 instructions, 4 of them fetches
uniform stream level;
uniform vec2 size;
uniform float spacing;

void main() {
    vec2 p = here;
    vec2 low = max(p - 1.0, vec2(0.5));
    vec2 high = min(p + 1.0, size - 0.5);
    // A single column has no neighbours: the difference is 0.
    vec2 reach = max(high - low, vec2(1.0));
    float across = fetch(level, vec2(high.x, p.y)).x - fetch(level, vec2(low.x, p.y)).x;
    float along = fetch(level, vec2(p.x, high.y)).x - fetch(level, vec2(p.x, low.y)).x;
    vec2 gradient = vec2(across, along) / reach;
    result = vec4(sqrt(dot(gradient, gradient)) / spacing, 0.0, 0.0, 0.0);
}
