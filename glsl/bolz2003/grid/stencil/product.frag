// The product of a level's matrix and a vector (Bolz et al. 2003, section 4.2, matrix-vector
// multiply).
//
//   v[i] = sum over d of A^d[i] u[i + d]
//
//   APPLY(i)   the operator at texel i: stored_stencil.glsl, or a constant one
//   result     .xyzw   v
vec4 node(vec2 i) {
    return APPLY(i);
}

void main() {
    result = KEEP(node(AT));
}
