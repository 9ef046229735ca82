// A vector divided by the diagonal: the first sweep of weighted Jacobi when the start is zero and u
// the right side (Bolz et al. 2003, section 4.2, Relax).
//
//   v[i] = omega u[i] / A^0[i]
//
//   DIAGONAL(i)   the operator's diagonal at texel i: stored_stencil.glsl, or a constant one
//   omega    .x      the weight
//   result   .xyzw   v
uniform float omega;

vec4 node(vec2 i) {
    return omega * fetch(u, i) / DIAGONAL(i);
}

void main() {
    result = KEEP(node(AT));
}
