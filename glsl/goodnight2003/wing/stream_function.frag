// The stream function in the frame of the wing (Goodnight et al. 2003, section 5.3, eq. 6).
//
//   psi = (u, v, Omega, Gamma) . potentials + U,   laplacian U = -(zeta + 2 Omega)
//
// The four potential flows and U are zero on the body.
//
//   potentials   .xyzw  the potential flows for u, v, Omega and a circulation of 1
//   solution     .x     U, the solver's solution
//   motion       .xyzw  u, v, Omega, Gamma
//   result       .x     psi
//
// Cost: 8 instructions, 2 of them fetches
uniform stream potentials;
uniform stream solution;
uniform vec4 motion;

void main() {
    vec4 p = fetch(potentials, here);
    float flow = motion.x * p.x + motion.y * p.y + motion.z * p.z + motion.w * p.w;
    result = vec4(flow + fetch(solution, here).x, 0.0, 0.0, 0.0);
}
