// A signed quantity in colours: blue below zero, amber above, dark in between (Krueger and Westermann 2003,
// section 6).
//
//   quantity   .x     one cell per texel
//   size       .xy    columns and rows of cells
//   spacing    .x     cells from one sample of the picture to the next
//   most       .x     the value of the brightest colour
//   result     .xyz   linear light
//
// INTERPOLATE: interpolate_linear.glsl
// Cost: 33 instructions, 4 of them fetches, with interpolate_linear
uniform stream quantity;
uniform vec2 size;
uniform float spacing;
uniform float most;

const vec3 DARK = vec3(0.006, 0.007, 0.012);

vec3 ramp(float share, vec3 middle, vec3 bright) {
    vec3 low = mix(DARK, middle, clamp(2.0 * share, 0.0, 1.0));
    return mix(low, bright, clamp(2.0 * share - 1.0, 0.0, 1.0));
}

void main() {
    vec2 p = clamp(here * spacing, vec2(0.5), size - 0.5);
    float value = INTERPOLATE(quantity, p).x / most;
    vec3 below = ramp(-value, vec3(0.02, 0.17, 0.55), vec3(0.55, 0.88, 1.0));
    vec3 above = ramp(value, vec3(0.62, 0.16, 0.02), vec3(1.0, 0.86, 0.48));
    result = vec4(value < 0.0 ? below : above, 1.0);
}
