// Divides a vector by the diagonal: the first weighted Jacobi sweep, if it starts from zero and u is the
// right-hand side (Bolz et al. 2003, section 4.2, Relax).
//
//   v[i] = omega u[i] / A^0[i]
//
//   DIAGONAL(i)   the operator's diagonal at texel i: from stored_stencil.glsl or a constant stencil
//   omega    .x      the damping factor
//   result   .xyzw   v
uniform float omega;

vec4 node(vec2 i) {
    return omega * fetch(u, i) / DIAGONAL(i);
}

void main() {
    result = KEEP(node(AT));
}
