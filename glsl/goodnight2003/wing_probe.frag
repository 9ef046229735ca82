// What the CPU wants to know of each row (Goodnight et al. 2003, section 5.3; after wing_grid.glsl):
// the force on the wing hangs on the vorticity next to it, the circulation on what leaves.
//
//   vorticity   .x     zeta
//   psi         .x     the stream function
//   turn        .x     2 theta'
//   result      .xyzw  zeta on the wing and at the next two nodes; zeta + 2 theta' times what flows
//                      out of the last column
uniform stream vorticity;
uniform stream psi;
uniform float turn;

vec2 last(float step) {
    return vec2(size.x - 0.5, node(vec2(0.0, step)).y);
}

void main() {
    float first = fetch(vorticity, here).x;
    float second = fetch(vorticity, here + vec2(1.0, 0.0)).x;
    float third = fetch(vorticity, here + vec2(2.0, 0.0)).x;
    float outward = fetch(psi, last(1.0)).x - fetch(psi, last(-1.0)).x;
    float leaving = 0.5 * outward * (fetch(vorticity, last(0.0)).x + turn);
    result = vec4(first, second, third, leaving);
}
