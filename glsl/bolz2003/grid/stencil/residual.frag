// The residual of a level (Bolz et al. 2003, section 4.2).
//
//   r[i] = b[i] - sum over d of A^d[i] u[i + d]
//
//   APPLY(i)   the operator at texel i
//   b          .xyzw   the right-hand side
//   result     .xyzw   r
//
// APPLY: stored_stencil.glsl, constant_five_point.glsl or constant_nine_point.glsl
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 23 instructions, 10 of them fetches, with grid_inner constant_nine_point
uniform stream b;

vec4 node(vec2 i) {
    return fetch(b, i) - APPLY(i);
}

void main() {
    result = KEEP(node(AT));
}
