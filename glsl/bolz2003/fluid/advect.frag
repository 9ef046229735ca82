// Advection by tracing back: what is carried by the velocity to a node now was, a step ago, where a
// straight line leads from it (Bolz et al. 2003, section 4.1.1; after bilinear.glsl).
//
//   result[i] = C(quantity, -dt velocity)[i] = quantity at i - dt velocity[i]
//
// where that place is clamped to the domain.
//
//   quantity   .xyzw   what is carried, one node a texel; the velocity itself, or a dye
//   velocity   .xy     in grid spaces a unit of time
//   dt         .x      the time step
//   result     .xyzw   the quantity a step later
uniform stream quantity;
uniform stream velocity;
uniform float dt;

void main() {
    vec2 before = INSIDE(here - dt * fetch(velocity, here).xy);
    result = BILINEAR(quantity, before);
}
