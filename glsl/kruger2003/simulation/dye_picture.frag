// Dye (Krueger and Westermann 2003, section 6, Fig. 8).
//
//   result = ground + 1 - exp(-dye)
//
//   dye       .xyz   red, green and blue light, one cell per texel
//   size      .xy    columns and rows of cells
//   spacing   .x     cells from one sample of the picture to the next
//   result    .xyz   linear light
//
// INTERPOLATE: interpolate_linear.glsl
// Cost: 24 instructions, 4 of them fetches, with interpolate_linear
uniform stream dye;
uniform vec2 size;
uniform float spacing;

void main() {
    vec2 p = clamp(here * spacing, vec2(0.5), size - 0.5);
    vec3 light = INTERPOLATE(dye, p).xyz;
    result = vec4(vec3(0.010, 0.012, 0.022) + 1.0 - exp(-light), 1.0);
}
