// The ceiling of a product with a stored stencil, or of a Jacobi sweep, for timing (Bolz et al. 2003, section 4.3;
// needs stencil_entries.glsl): the fetches of product.frag are only added up, in the same way for all texels.
//
//   result[i] = sum of the nine entries at i + sum over d of u[i + d] + RIGHT_SIDE
//
//   RIGHT_SIDE        nothing, or the fetch of the right-hand side b
//   u        .xyzw    a vector
//   b        .xyzw    the right-hand side
//   result   .xyzw    no meaning
uniform stream u;
uniform stream b;

void main() {
    vec2 m = here - 1.0;
    vec2 p = here + 1.0;
    vec4 entries = fetch(a_mm, here) + fetch(a_0m, here) + fetch(a_pm, here)
        + fetch(a_m0, here) + fetch(a_00, here) + fetch(a_p0, here)
        + fetch(a_mp, here) + fetch(a_0p, here) + fetch(a_pp, here);
    vec4 around = fetch(u, m) + fetch(u, vec2(here.x, m.y)) + fetch(u, vec2(p.x, m.y))
        + fetch(u, vec2(m.x, here.y)) + fetch(u, here) + fetch(u, vec2(p.x, here.y))
        + fetch(u, vec2(m.x, p.y)) + fetch(u, vec2(here.x, p.y)) + fetch(u, p);
    result = entries + around + RIGHT_SIDE;
}
