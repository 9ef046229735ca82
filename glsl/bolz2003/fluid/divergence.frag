// The right-hand side of the Poisson equation: the divergence, integrated over each node's control volume
// (Bolz et al. 2003, section 4.1, equation 3). The velocity on a face between two nodes is their mean, on a
// side of the domain that of the node there. Inside, this is Stam's central difference.
//
//   b[i] = -1/2 (h (u_x[i + (1,0)] - u_x[i - (1,0)] + n_x u_x[i]) + w (the same of u_y along y))
//
//   u_x      .xyzw   the velocity's first component; zero outside the domain
//   u_y      .xyzw   the velocity's second component
//   result   .xyzw   b, for the solve A q = b, q the pressure times dt
//
// AT, KEEP, WIDTH, HEIGHT: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// OUTWARD_X, OUTWARD_Y: sides_none.glsl or sides_normal.glsl
// Cost: 10 instructions, 4 of them fetches, with grid_inner sides_none
uniform stream u_x;
uniform stream u_y;

vec4 node(vec2 i) {
    vec2 m = i - 1.0;
    vec2 p = i + 1.0;
    vec4 along_x = fetch(u_x, vec2(p.x, i.y)) - fetch(u_x, vec2(m.x, i.y))
        + OUTWARD_X(i, fetch(u_x, i));
    vec4 along_y = fetch(u_y, vec2(i.x, p.y)) - fetch(u_y, vec2(i.x, m.y))
        + OUTWARD_Y(i, fetch(u_y, i));
    return -0.5 * (HEIGHT(i) * along_x + WIDTH(i) * along_y);
}

void main() {
    result = KEEP(node(AT));
}
