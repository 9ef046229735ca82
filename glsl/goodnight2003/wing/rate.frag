// The largest rate of change in a node's volume, which bounds the time step (Goodnight et al. 2003, section 5.3,
// eq. 4).
//
//   (max |east, west| + max |north, south| + (W + E + S + N) / Re) / V
//
//   psi         .x     the stream function
//   nodes       .z     h1 h2
//   operator    .xyzw  the solver's operator: W, E, S, N
//   cell        .x     dxi deta
//   viscosity   .x     1 / Re
//   result      .x     the rate
//
// FLUXES: fluxes.glsl
// Cost: 95 instructions, 10 of them fetches, with grid fluxes
uniform stream nodes;
uniform stream operator;
uniform float cell;
uniform float viscosity;

void main() {
    vec4 flux = abs(FLUXES);
    vec4 a = fetch(operator, here);
    float flow = max(flux.x, flux.y) + max(flux.z, flux.w);
    float spread = viscosity * (a.x + a.y + a.z + a.w);
    result = vec4((flow + spread) / (fetch(nodes, here).z * cell), 0.0, 0.0, 0.0);
}
