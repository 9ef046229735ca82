// Solves the coarsest level in one pass, by multiplying with the inverse of its matrix (instead of the Jacobi
// iteration of Bolz et al. 2003, section 4.2, V-cycle).
//
//   v[i] = sum over the texels j of M(i, j) b[j]
//
// M(i, j) is a 4 x 4 matrix from the four nodes of texel j to those of texel i. A node that is stored in two
// texels counts in one of them: its columns for the other are zero.
//
//   COLUMNS, ROWS   texels of b, without its ring
//   b         .xyzw   the right-hand side
//   inverse   .xyzw   the columns of M(i, j), four texels at 2 (i (COLUMNS, ROWS) + j)
//   result    .xyzw   v
uniform stream b;
uniform stream inverse;

vec4 node(vec2 i) {
    vec2 first = 2.0 * (i - 1.5) * vec2(COLUMNS, ROWS) + 0.5;
    vec4 sum = vec4(0.0);
    for (float y = 0.0; y < ROWS; y += 1.0) {
        for (float x = 0.0; x < COLUMNS; x += 1.0) {
            vec2 j = vec2(x, y);
            vec2 p = first + 2.0 * j;
            vec2 q = p + 1.0;
            vec4 nodes = fetch(b, j + 1.5);
            sum += fetch(inverse, p) * nodes.x;
            sum += fetch(inverse, vec2(q.x, p.y)) * nodes.y;
            sum += fetch(inverse, vec2(p.x, q.y)) * nodes.z;
            sum += fetch(inverse, q) * nodes.w;
        }
    }
    return sum;
}

void main() {
    result = KEEP(node(AT));
}
