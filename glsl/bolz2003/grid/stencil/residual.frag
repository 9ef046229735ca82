// The residual of a level (Bolz et al. 2003, section 4.2).
//
//   r[i] = b[i] - sum over d of A^d[i] u[i + d]
//
//   APPLY(i)   the operator at texel i: from stored_stencil.glsl or a constant stencil
//   b          .xyzw   the right-hand side
//   result     .xyzw   r
uniform stream b;

vec4 node(vec2 i) {
    return fetch(b, i) - APPLY(i);
}

void main() {
    result = KEEP(node(AT));
}
