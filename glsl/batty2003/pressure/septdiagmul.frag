// The product of the matrix with a vector, four cells at once (Batty, Wiebe, Houston 2003, section GPU
// Algorithm Implementation, the listing septdiagmul.cg).
//
//   result = A x: for each cell, its own entry times x there, plus one term for each of its six neighbours
//
// Four cells in a row along x share a texel, so three of their neighbours along x lie in the same texel,
// and only the outermost needs another one. Cells outside the grid are read like any others, because their
// entries are zero. The order of the sums is that of the listing. Defined in other files:
//
//   CENTRE, X_AFTER, ...   this texel's entries for itself, for the neighbours at +x, ... (matrix_*.glsl, which read
//                          them by entries_*.glsl)
//   NEIGHBOUR(offset)      the texel at this distance from this one (index_*.glsl)
//   OFFSET(given)          that distance, from the CPU's numbers (offsets_*.glsl)
//
//   x          .xyzw  the vector: four consecutive cells along x
//   x_offset   .xy    from one texel to the next along x
//   y_offset   .xy    the same along y
//   z_offset   .xy    the same along z
//   result     .xyzw  the product, for four cells
//
// Cost: 43 instructions, 14 of them fetches, with index_frac offsets_prebuilt entries_float matrix_seven
uniform stream x;
uniform vec2 x_offset;
uniform vec2 y_offset;
uniform vec2 z_offset;

void main() {
    vec4 centre = fetch(x, here);
    vec4 sum = centre * CENTRE;

    sum += fetch(x, NEIGHBOUR(OFFSET(y_offset))) * Y_AFTER;
    sum += fetch(x, NEIGHBOUR(-OFFSET(y_offset))) * Y_BEFORE;
    sum += fetch(x, NEIGHBOUR(OFFSET(z_offset))) * Z_AFTER;
    sum += fetch(x, NEIGHBOUR(-OFFSET(z_offset))) * Z_BEFORE;

    // The last cell's neighbour is the first cell of the next texel.
    vec4 entry = X_AFTER;
    sum.w += entry.w * fetch(x, NEIGHBOUR(OFFSET(x_offset))).x;
    sum.xyz += entry.xyz * centre.yzw;

    // The first cell's neighbour is the last cell of the texel before.
    entry = X_BEFORE;
    sum.yzw += entry.yzw * centre.xyz;
    sum.x += entry.x * fetch(x, NEIGHBOUR(-OFFSET(x_offset))).w;

    result = sum;
}
