// A stroke of the mouse: a body force along a line for one step, with a strength that falls with the distance from the
// line (Bolz et al. 2003, section 4.1, equation 2).
//
//   result[i] = velocity[i] + change exp(-d^2 / radius^2), where d is the distance from node i to the line
//
//   velocity   .xy   one node per texel
//   change     .xy   the change on the line itself
//   result     .xy   the velocity
//
// a, b, radius, SQUARED: stroke.glsl, in grid spaces from the lower left node
// Cost: 23 instructions, 1 of them a fetch, with stream/stroke
uniform stream velocity;
uniform vec2 change;

void main() {
    float bell = exp(-SQUARED(here - 0.5));
    result = fetch(velocity, here) + vec4(bell * change, 0.0, 0.0);
}
