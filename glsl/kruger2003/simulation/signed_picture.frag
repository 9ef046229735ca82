// A signed quantity in colours: blue below zero, amber above, dark in between (Krueger and Westermann 2003,
// section 6).
//
//   quantity   .x     one cell per texel
//   size       .xy    columns and rows of cells
//   spacing    .x     cells from one sample of the picture to the next
//   most       .x     the value of the brightest colour
//   result     .xyz   linear light
//
// INTERPOLATE: interpolate_linear.glsl; BLUE, AMBER: view/signed.glsl
// Cost: 33 instructions, 4 of them fetches, with view/signed interpolate_linear
uniform stream quantity;
uniform vec2 size;
uniform float spacing;
uniform float most;

void main() {
    vec2 p = clamp(here * spacing, vec2(0.5), size - 0.5);
    float value = INTERPOLATE(quantity, p).x / most;
    result = vec4(value < 0.0 ? BLUE(-value) : AMBER(value), 1.0);
}
