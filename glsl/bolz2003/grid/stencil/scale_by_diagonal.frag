// Divides a vector by the diagonal: the first weighted Jacobi sweep, if it starts from zero and u is the
// right-hand side (Bolz et al. 2003, section 4.2, Relax).
//
//   v[i] = omega u[i] / A^0[i]
//
//   DIAGONAL(i)   the operator's diagonal at texel i
//   omega    .x      the damping factor
//   result   .xyzw   v
//
// DIAGONAL, u: stored_stencil.glsl, constant_five_point.glsl or constant_nine_point.glsl
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 8 instructions, 2 of them fetches, with stencil_entries stored_stencil grid_inner
uniform float omega;

vec4 node(vec2 i) {
    return omega * fetch(u, i) / DIAGONAL(i);
}

void main() {
    result = KEEP(node(AT));
}
