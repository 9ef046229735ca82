// The operator of a level with constant coefficients and five points, for the finest level (Bolz et al. 2003,
// section 4.2, with the stencil in constants instead of textures).
//
//   APPLY(i) = reaction w h u[i] + edge (h (left + right) + w (below + above) differences to u[i])
//   DIAGONAL(i) = centre w h
//
// Differences of neighbours are exact where u is smooth, so that the residual's rounding error is that of the
// differences and not that of u itself.
//
//   u         .xyzw   the vector; zero outside the domain
//   stencil   .xyzw   centre, edge, corner (0) of an inner node, and reaction, the sum of all nine
uniform stream u;
uniform vec4 stencil;

vec4 apply(vec2 i) {
    vec2 m = i - 1.0;
    vec2 p = i + 1.0;
    vec4 c = fetch(u, i);
    vec4 beside = LEFT(i) * (fetch(u, vec2(m.x, i.y)) - c)
                + RIGHT(i) * (fetch(u, vec2(p.x, i.y)) - c);
    vec4 over = BELOW(i) * (fetch(u, vec2(i.x, m.y)) - c)
              + ABOVE(i) * (fetch(u, vec2(i.x, p.y)) - c);
    vec4 edges = HEIGHT(i) * beside + WIDTH(i) * over;
    return stencil.w * (WIDTH(i) * HEIGHT(i) * c) + stencil.y * edges;
}
#define APPLY(i) apply(i)
#define DIAGONAL(i) (stencil.x * WIDTH(i) * HEIGHT(i))
