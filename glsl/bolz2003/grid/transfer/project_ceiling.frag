// The ceiling of a projection, for timing (Bolz et al. 2003, section 4.3): the nine fetches of
// project.frag are only added up, in the same way for all texels.
//
//   result[i] = sum over d in {-1,0,1}^2 of x[2i + d]
//
//   x        .xyzw    a vector of the finer grid
//   result   .xyzw    no meaning
//
// STRIDED(x): as project.frag
uniform stream x;

void main() {
    vec2 c = 2.0 * here;
    vec2 m = c - 1.0;
    vec2 p = c + 1.0;
    result = fetch(x, m) + fetch(x, vec2(c.x, m.y)) + fetch(x, vec2(p.x, m.y))
        + fetch(x, vec2(m.x, c.y)) + fetch(x, c) + fetch(x, vec2(p.x, c.y))
        + fetch(x, vec2(m.x, p.y)) + fetch(x, vec2(c.x, p.y)) + fetch(x, p);
}
