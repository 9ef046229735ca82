// Bilinear interpolation from the coarser grid (Bolz et al. 2003, section 4.2, interpolation).
//
//   v[i] = 1/4 sum over d in {0,1}^2 of coarse[floor((i + d) / 2)]
//
// The centre of texel t is at t + 1.5 (half a texel, and one for the ring). A fetch reads the texel that contains
// the position, which takes the floor.
//
//   coarse   .xyzw   a vector of the coarser grid
//   result   .xyzw   v
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 10 instructions, 4 of them fetches, with grid_inner
uniform stream coarse;

vec4 node(vec2 i) {
    vec2 p = 0.5 * i + 0.5;
    vec2 q = p + 0.5;
    vec4 below = fetch(coarse, p) + fetch(coarse, vec2(q.x, p.y));
    vec4 above = fetch(coarse, vec2(p.x, q.y)) + fetch(coarse, q);
    return 0.25 * (below + above);
}

void main() {
    result = KEEP(node(AT));
}
