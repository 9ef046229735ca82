// As stored_stencil.glsl, but the positions of the neighbours are interpolated (neighbours.vert) instead of
// computed. This saves two instructions and leaves the paper's 27 (Bolz et al. 2003, section 4.3). Only for inner
// texels, where the texel is the fragment's own.
//
//   APPLY(i) = sum over d of A^d[i] u[i + d],   DIAGONAL(i) = A^0[i]
//
//   u         .xyzw   the vector
//   corners   .xyzw   column and row m, column and row p
//   rows      .xyzw   column and row 0, row m, row p
//   columns   .xyz    column m, column p, row 0
uniform stream u;
in vec4 corners;
in vec4 rows;
in vec3 columns;

vec4 apply(vec2 i) {
    vec4 sum = fetch(a_mm, i) * fetch(u, corners.xy);
    sum += fetch(a_0m, i) * fetch(u, rows.xz);
    sum += fetch(a_pm, i) * fetch(u, corners.zy);
    sum += fetch(a_m0, i) * fetch(u, columns.xz);
    sum += fetch(a_00, i) * fetch(u, rows.xy);
    sum += fetch(a_p0, i) * fetch(u, columns.yz);
    sum += fetch(a_mp, i) * fetch(u, corners.xw);
    sum += fetch(a_0p, i) * fetch(u, rows.xw);
    sum += fetch(a_pp, i) * fetch(u, corners.zw);
    return sum;
}
#define APPLY(i) apply(i)
#define DIAGONAL(i) fetch(a_00, i)
