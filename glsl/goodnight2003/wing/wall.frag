// The vorticity on the body (Goodnight et al. 2003, section 5.3), by Woods's formula: on the body
// psi = 0 and d psi / d xi = 0. If a = h1 h2 and zeta are both linear from there to the next node,
//
//   psi_1 = -dxi^2 [ zeta_0 (3 a_0 + a_1) + zeta_1 (a_0 + a_1) ] h1 / (12 h2)
//
// The formula is of second order, and for equal a it is Woods's own. zeta_1 never has a larger weight than zeta_0,
// even where cells grow fast away from a sharp edge; otherwise its errors would grow from step to step. h2 / h1 is
// taken at the average position of the weights.
//
//   vorticity   .x    zeta
//   psi         .x    the stream function
//   nodes       .zw   h1 h2, h2 / h1
//   step_xi     .x    dxi
//   result      .xy   zeta, 0
//
// Cost: 18 instructions, 4 of them fetches
uniform stream vorticity;
uniform stream psi;
uniform stream nodes;
uniform float step_xi;

void main() {
    vec2 next = here + vec2(1.0, 0.0);
    vec4 wall = fetch(nodes, here);
    vec4 inside = fetch(nodes, next);
    float ratio = (wall.w + 2.0 * inside.w) * (1.0 / 3.0);
    float bend = 12.0 * ratio * fetch(psi, next).x / (step_xi * step_xi);
    float beside = (wall.z + inside.z) * fetch(vorticity, next).x;
    result = vec4(-(bend + beside) / (3.0 * wall.z + inside.z), 0.0, 0.0, 0.0);
}
