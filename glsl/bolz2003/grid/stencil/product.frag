// The product of a level's matrix with a vector (Bolz et al. 2003, section 4.2, matrix-vector multiply).
//
//   v[i] = sum over d of A^d[i] u[i + d]
//
//   APPLY(i)   that sum at texel i
//   result     .xyzw   v
//
// APPLY: stored_stencil.glsl, constant_five_point.glsl or constant_nine_point.glsl
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 75 instructions, 5 of them fetches, with grid_nodes grid_border constant_five_point
vec4 node(vec2 i) {
    return APPLY(i);
}

void main() {
    result = KEEP(node(AT));
}
