// Semi-Lagrangian advection of dye (Krueger and Westermann 2003, section 6).
//
//   result = fade dye(x - dt V)
//
//   dye        .xyzw   red, green and blue light, one cell per texel
//   velocity   .xy     u and v; cell (0, 0) is texel (2, 2)
//   size       .xy     columns and rows of cells
//   dt         .x      the time step
//   fade       .x      share of the dye that is left after a step
//   result     .xyzw   the dye one step later
//
// INTERPOLATE: interpolate_linear.glsl or interpolate_cubic.glsl
// Cost: 27 instructions, 7 of them fetches, with interpolate_linear
uniform stream dye;
uniform stream velocity;
uniform vec2 size;
uniform float dt;
uniform float fade;

void main() {
    vec2 p = here + 2.0;
    vec2 low = fetch(velocity, p).xy;
    vec2 high = vec2(fetch(velocity, p + vec2(1.0, 0.0)).x, fetch(velocity, p + vec2(0.0, 1.0)).y);
    vec2 before = clamp(here - 0.5 * dt * (low + high), vec2(0.5), size - 0.5);
    result = fade * INTERPOLATE(dye, before);
}
