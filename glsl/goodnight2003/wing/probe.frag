// The numbers that the CPU needs from each row (Goodnight et al. 2003, section 5.3): the force on the wing depends
// on the vorticity next to it, and the circulation on the vorticity that leaves.
//
//   vorticity   .x     zeta
//   psi         .x     the stream function
//   turn        .x     2 theta'
//   result      .xyzw  zeta on the wing and at the next two nodes; the outflow of zeta + 2 theta'
//                      from the last volume but one, as in transport.frag
//
// NODE, size: grid.glsl; CARRIED, psi: fluxes.glsl
// Cost: 50 instructions, 10 of them fetches, with grid fluxes
uniform stream vorticity;
uniform float turn;

// The node at this number of columns before the last, and of rows after this one.
vec2 before(float columns, float rows) {
    return vec2(size.x - 0.5 - columns, NODE(vec2(0.0, rows)).y);
}

float absolute(float columns) {
    return fetch(vorticity, before(columns, 0.0)).x + turn;
}

void main() {
    float first = fetch(vorticity, here).x;
    float second = fetch(vorticity, here + vec2(1.0, 0.0)).x;
    float third = fetch(vorticity, here + vec2(2.0, 0.0)).x;
    float above = fetch(psi, before(1.0, 1.0)).x + fetch(psi, before(0.0, 1.0)).x;
    float below = fetch(psi, before(1.0, -1.0)).x + fetch(psi, before(0.0, -1.0)).x;
    float last = absolute(0.0);
    float leaving = CARRIED(0.25 * (above - below), absolute(2.0), absolute(1.0), last, last);
    result = vec4(first, second, third, leaving);
}
