// Semi-Lagrangian advection: the value carried to a node was, one time step ago, at the point found by tracing the
// velocity back along a straight line (Bolz et al. 2003, section 4.1.1).
//
//   result[i] = C(quantity, -dt velocity)[i] = quantity at i - dt velocity[i]
//
// That point is clamped to the domain.
//
//   quantity   .xyzw   the carried quantity, one node per texel: the velocity itself, or a dye
//   velocity   .xy     in grid spaces per unit of time
//   dt         .x      the time step
//   result     .xyzw   the quantity one step later
//
// INSIDE, BILINEAR: bilinear.glsl
// Cost: 22 instructions, 5 of them fetches, with bilinear
uniform stream quantity;
uniform stream velocity;
uniform float dt;

void main() {
    vec2 before = INSIDE(here - dt * fetch(velocity, here).xy);
    result = BILINEAR(quantity, before);
}
