// Bilinear interpolation from the coarser grid, which a V-cycle adds to the finer grid's vector (Bolz et al. 2003,
// section 4.2).
//
//   v[i] = u[i] + 1/4 sum over d in {0,1}^2 of coarse[floor((i + d) / 2)];   without u if not ADDED
//
// The centre of texel t is at t + 1.5 (half a texel, and one for the ring). A fetch reads the texel that contains
// the position, which takes the floor.
//
//   ADDED    defined if u is added
//   coarse   .xyzw   a vector of the coarser grid
//   u        .xyzw   the vector to correct
//   result   .xyzw   v
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 10 instructions, 4 of them fetches, with grid_inner
uniform stream coarse;
#ifdef ADDED
uniform stream u;
#endif

vec4 node(vec2 i) {
    vec2 p = 0.5 * i + 0.5;
    vec2 q = p + 0.5;
    vec4 below = fetch(coarse, p) + fetch(coarse, vec2(q.x, p.y));
    vec4 above = fetch(coarse, vec2(p.x, q.y)) + fetch(coarse, q);
    vec4 sum = 0.25 * (below + above);
#ifdef ADDED
    sum += fetch(u, i);
#endif
    return sum;
}

void main() {
    result = KEEP(node(AT));
}
