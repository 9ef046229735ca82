// The ceiling of an interpolation, for timing (Bolz et al. 2003, section 4.3): the four fetches of
// interpolate.frag are only added up, in the same way for all texels.
//
//   result[i] = sum over d in {0,1}^2 of x[i / 2 + d]
//
//   x        .xyzw    a vector of the coarser grid
//   result   .xyzw    no meaning
uniform stream x;

void main() {
    vec2 p = 0.5 * here;
    vec2 q = p + 1.0;
    result = fetch(x, p) + fetch(x, vec2(q.x, p.y)) + fetch(x, vec2(p.x, q.y)) + fetch(x, q);
}
