// Moves the particles of the velocity's picture by the midpoint rule (Bolz et al. 2003, section 4.1, Fig. 5). A
// particle that leaves at the right, or reaches the end of its life, is born again; a particle with a negative
// age waits for its birth.
//
//   m = p + dt/2 velocity(p),  p' = p + dt velocity(m)
//
//   particles   .xyzw   position (column, row, from 0.5), age, unused
//   births      .xyz    a particle's birthplace, and its lifetime
//   velocity    .xy     one node per texel, in grid spaces per unit of time
//   dt          .x      the time step
//   result      .xyz    position and age
//
// INSIDE, BILINEAR: bilinear.glsl
// Cost: 54 instructions, 10 of them fetches, with bilinear
uniform stream particles;
uniform stream births;
uniform stream velocity;
uniform float dt;

void main() {
    vec4 particle = fetch(particles, here);
    vec4 birth = fetch(births, here);
    float time = step(0.0, particle.z) * dt;
    vec2 middle = INSIDE(particle.xy + 0.5 * time * BILINEAR(velocity, particle.xy).xy);
    vec2 moved = particle.xy + time * BILINEAR(velocity, middle).xy;
    float age = particle.z + dt;
    float alive = step(age, birth.z) * step(moved.x, extent.x + 0.5);
    vec3 older = vec3(INSIDE(moved), age);
    result = vec4(alive > 0.0 ? older : vec3(birth.xy, 0.0), 0.0);
}
