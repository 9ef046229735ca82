// Interpolation from the coarser grid and correction in one (Bolz et al. 2003, section 4.2,
// V-cycle): interpolate.frag with an addition.
//
//   v[i] = u[i] + 1/4 sum over d in {0,1}^2 of coarse[floor((i + d) / 2)]
//
//   coarse   .xyzw   the correction, a vector of the coarser grid
//   u        .xyzw   what is corrected
//   result   .xyzw   v
uniform stream coarse;
uniform stream u;

vec4 node(vec2 i) {
    vec2 p = 0.5 * i + 0.5;
    vec2 q = p + 0.5;
    vec4 sum = fetch(coarse, p) + fetch(coarse, vec2(q.x, p.y));
    return fetch(u, i) + 0.25 * (sum + fetch(coarse, vec2(p.x, q.y)) + fetch(coarse, q));
}

void main() {
    result = KEEP(node(AT));
}
