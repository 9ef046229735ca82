// Interpolates the coarser grid's correction and adds it, as interpolate.frag with an addition (Bolz et al. 2003,
// section 4.2, V-cycle).
//
//   v[i] = u[i] + 1/4 sum over d in {0,1}^2 of coarse[floor((i + d) / 2)]
//
//   coarse   .xyzw   the correction, a vector of the coarser grid
//   u        .xyzw   the vector to correct
//   result   .xyzw   v
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 45 instructions, 5 of them fetches, with grid_nodes grid_border
uniform stream coarse;
uniform stream u;

vec4 node(vec2 i) {
    vec2 p = 0.5 * i + 0.5;
    vec2 q = p + 0.5;
    vec4 below = fetch(coarse, p) + fetch(coarse, vec2(q.x, p.y));
    vec4 above = fetch(coarse, vec2(p.x, q.y)) + fetch(coarse, q);
    return fetch(u, i) + 0.25 * (below + above);
}

void main() {
    result = KEEP(node(AT));
}
