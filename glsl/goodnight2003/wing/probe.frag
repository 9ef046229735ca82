// What the CPU wants to know of each row (Goodnight et al. 2003, section 5.3; after
// grid.glsl, fluxes.glsl): the force on the wing hangs on the vorticity next to it, the
// circulation on what leaves.
//
//   vorticity   .x     zeta
//   psi         .x     the stream function
//   turn        .x     2 theta'
//   result      .xyzw  zeta on the wing and at the next two nodes; what of zeta + 2 theta' is
//                      carried out of the last volume but one, as transport.frag carries it
uniform stream vorticity;
uniform float turn;

// The node so many columns before the last, and rows on.
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
