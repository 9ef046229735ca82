// The speed, for a picture (Bolz et al. 2003, section 4.1).
//
//   result[i] = |velocity[i]|
//
//   velocity   .xy   one node per texel
//   result     .x    in grid spaces per unit of time
//
// Cost: 5 instructions, 1 of them a fetch
uniform stream velocity;

void main() {
    vec2 u = fetch(velocity, here).xy;
    result = vec4(sqrt(dot(u, u)));
}
