// The picture of a quantity on the grid: interpolated between nodes, then looked up in a colour scale (Bolz et al.
// 2003, section 4.1, Fig. 5).
//
//   quantity   .x     one node per texel
//   colours    .xyz   COLOURS records, linear light, from the lower end of the range to the upper
//   range      .xy    the values at these two ends
//   spacing    .x     grid spaces from one sample of the picture to the next
//   result     .xyz   linear light
//
// INSIDE, BILINEAR: bilinear.glsl
// Cost: 40 instructions, 6 of them fetches, with bilinear, COLOURS=23
uniform stream quantity;
uniform stream colours;
uniform vec2 range;
uniform float spacing;

void main() {
    vec2 place = INSIDE(0.5 + spacing * here);
    float value = BILINEAR(quantity, place).x;
    float share = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
    float colour = 0.5 + (COLOURS - 1.0) * share;
    vec4 below = fetch(colours, vec2(floor(colour - 0.5) + 0.5, 0.5));
    vec4 above = fetch(colours, vec2(min(floor(colour + 0.5), COLOURS - 1.0) + 0.5, 0.5));
    result = mix(below, above, fract(colour - 0.5));
}
