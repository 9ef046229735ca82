// A weighted Jacobi sweep (Bolz et al. 2003, section 4.2, Relax).
//
//   v[i] = u[i] + omega (b[i] - sum over d of A^d[i] u[i + d]) / A^0[i]
//
//   APPLY(i), DIAGONAL(i)   the operator at texel i
//   b        .xyzw   the right-hand side
//   omega    .x      the damping factor
//   result   .xyzw   v
//
// APPLY, DIAGONAL, u: stored_stencil.glsl, constant_five_point.glsl or constant_nine_point.glsl
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 73 instructions, 19 of them fetches, with stencil_entries stored_stencil grid_nodes grid_border
uniform stream b;
uniform float omega;

vec4 node(vec2 i) {
    return fetch(u, i) + omega / DIAGONAL(i) * (fetch(b, i) - APPLY(i));
}

void main() {
    result = KEEP(node(AT));
}
