// A time step of the vorticity (Goodnight et al. 2003, section 5.3, eq. 4).
//
//   d zeta / dt = -div(u zeta) + laplacian zeta / Re - 2 theta''
//
// over the volume of a node. The value on a face is that of the cubic through three nodes, two of them upstream.
// The last term is integrated exactly, as the change of 2 theta'; the others by the second-order Adams-Bashforth
// formula. Where the fluid only seems to turn (zeta = -2 theta'), rounding errors do not accumulate.
//
//   vorticity   .xy    zeta and d zeta / dt + 2 theta'' of the step before
//   psi         .x     the stream function
//   nodes       .z     h1 h2
//   operator    .xyzw  the solver's operator: W, E, S, N
//   cell        .x     dxi deta
//   viscosity   .x     1 / Re
//   weights     .xy    dt times the weights of this rate of change and of the one before
//   turn        .xy    2 theta' before and after the step
//   result      .xy    the same after the step
//
// NODE: grid.glsl; FLUXES, CARRIED: fluxes.glsl
// Cost: 191 instructions, 19 of them fetches, with grid fluxes
uniform stream vorticity;
uniform stream nodes;
uniform stream operator;
uniform float cell;
uniform float viscosity;
uniform vec2 weights;
uniform vec2 turn;

float zeta(float i, float j) {
    return fetch(vorticity, NODE(vec2(i, j))).x;
}

void main() {
    vec2 old = fetch(vorticity, here).xy;
    float z = old.x;
    float w = zeta(-1.0, 0.0);
    float e = zeta(1.0, 0.0);
    float s = zeta(0.0, -1.0);
    float n = zeta(0.0, 1.0);
    vec4 flux = FLUXES;
    float outward = CARRIED(flux.x, w, z, e, zeta(2.0, 0.0))
                  - CARRIED(flux.y, zeta(-2.0, 0.0), w, z, e);
    float round = CARRIED(flux.z, s, z, n, zeta(0.0, 2.0))
                - CARRIED(flux.w, zeta(0.0, -2.0), s, z, n);
    vec4 a = fetch(operator, here);
    float spread = a.x * (w - z) + a.y * (e - z) + a.z * (s - z) + a.w * (n - z);
    float volume = fetch(nodes, here).z * cell;
    float tendency = (viscosity * spread - (outward + round)) / volume;
    float change = weights.x * tendency + weights.y * old.y;
    result = vec4(z + turn.x + change - turn.y, tendency, 0.0, 0.0);
}
