// The projection's last step, for one component: u <- u - grad q (Bolz et al. 2003, section 4.1).
// On a side of the domain, the normal derivative of q is zero.
//
//   result[i] = u[i] - 1/2 (q[i + AXIS] - q[i - AXIS]);   u[i] on a side normal to AXIS
//
//   AXIS        (1, 0) or (0, 1)
//   EXTENT(i)   WIDTH(i) or HEIGHT(i): 1 inside, 1/2 on a side normal to AXIS
//   u           .xyzw   the component
//   q           .xyzw   the pressure times dt
//   result      .xyzw   the component
//
// AT, KEEP, WIDTH, HEIGHT: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 50 instructions, 3 of them fetches, with grid_nodes grid_border, AXIS=vec2(1.0, 0.0), EXTENT(i)=WIDTH(i)
uniform stream u;
uniform stream q;

vec4 node(vec2 i) {
    vec4 difference = fetch(q, i + AXIS) - fetch(q, i - AXIS);
    return fetch(u, i) - (EXTENT(i) - 0.5) * difference;
}

void main() {
    result = KEEP(node(AT));
}
