// The body force (Bolz et al. 2003, section 4.1, equation 2).
//
//   result[i] = velocity[i] + dt force[i]
//
//   velocity   .xy   one node per texel
//   force      .xy   force per mass
//   dt         .x    the time step
//   result     .xy   the velocity
//
// Cost: 3 instructions, 2 of them fetches
uniform stream velocity;
uniform stream force;
uniform float dt;

void main() {
    result = fetch(velocity, here) + dt * fetch(force, here);
}
