// A weighted Jacobi sweep (Bolz et al. 2003, section 4.2, Relax).
//
//   v[i] = u[i] + omega (b[i] - sum over d of A^d[i] u[i + d]) / A^0[i]
//
//   APPLY(i), DIAGONAL(i)   the operator at texel i: from stored_stencil.glsl or a constant stencil
//   b        .xyzw   the right-hand side
//   omega    .x      the damping factor
//   result   .xyzw   v
uniform stream b;
uniform float omega;

vec4 node(vec2 i) {
    return fetch(u, i) + omega / DIAGONAL(i) * (fetch(b, i) - APPLY(i));
}

void main() {
    result = KEEP(node(AT));
}
