// The vorticity on the body (Goodnight et al. 2003, section 5.3), by Woods's formula. On the body
// psi = 0 and d psi / d xi = 0, so that with q = h1 h2 zeta, linear from the body to the next node,
//
//   psi_1 = -dxi^2 (q_0 / 3 + q_1 / 6) h1 / h2
//
// of second order; h2 / h1 is taken where the two terms of the integral are worth the same.
//
//   vorticity   .x    zeta
//   psi         .x    the stream function
//   nodes       .zw   h1 h2, h2 / h1
//   step_xi     .x    dxi
//   result      .xy   zeta, 0
uniform stream vorticity;
uniform stream psi;
uniform stream nodes;
uniform float step_xi;

void main() {
    vec2 next = here + vec2(1.0, 0.0);
    vec4 wall = fetch(nodes, here);
    vec4 inside = fetch(nodes, next);
    float ratio = (wall.w + 2.0 * inside.w) * (1.0 / 3.0);
    float bend = 3.0 * ratio * fetch(psi, next).x / (step_xi * step_xi);
    float beside = 0.5 * inside.z * fetch(vorticity, next).x;
    result = vec4(-(bend + beside) / wall.z, 0.0, 0.0, 0.0);
}
