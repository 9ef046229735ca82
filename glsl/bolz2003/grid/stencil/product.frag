// The product of a level's matrix with a vector (Bolz et al. 2003, section 4.2, matrix-vector
// multiply). The sum over the nine neighbours is in stored_stencil.glsl.
//
//   v[i] = sum over d of A^d[i] u[i + d]
//
//   APPLY(i)   that sum at texel i, from stored_stencil.glsl or a constant stencil
//   result     .xyzw   v
vec4 node(vec2 i) {
    return APPLY(i);
}

void main() {
    result = KEEP(node(AT));
}
