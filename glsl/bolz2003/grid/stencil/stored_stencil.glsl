// The operator of a level with stored stencils (Bolz et al. 2003, section 4.2, matrix-vector multiply;
// needs stencil_entries.glsl).
//
//   APPLY(i) = sum over d of A^d[i] u[i + d],   DIAGONAL(i) = A^0[i]
//
//   u   .xyzw   the vector; zero outside the domain
uniform stream u;

vec4 apply(vec2 i) {
    vec2 m = i - 1.0;
    vec2 p = i + 1.0;
    vec4 sum = fetch(a_mm, i) * fetch(u, m);
    sum += fetch(a_0m, i) * fetch(u, vec2(i.x, m.y));
    sum += fetch(a_pm, i) * fetch(u, vec2(p.x, m.y));
    sum += fetch(a_m0, i) * fetch(u, vec2(m.x, i.y));
    sum += fetch(a_00, i) * fetch(u, i);
    sum += fetch(a_p0, i) * fetch(u, vec2(p.x, i.y));
    sum += fetch(a_mp, i) * fetch(u, vec2(m.x, p.y));
    sum += fetch(a_0p, i) * fetch(u, vec2(i.x, p.y));
    sum += fetch(a_pp, i) * fetch(u, p);
    return sum;
}
#define APPLY(i) apply(i)
#define DIAGONAL(i) fetch(a_00, i)
