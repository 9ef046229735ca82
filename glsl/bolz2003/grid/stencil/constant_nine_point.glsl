// The operator of a level with constant coefficients and nine points: P A S for an A with five points
// (Bolz et al. 2003, section 4.2, with the stencil in constants instead of textures).
//
//   APPLY(i) = centre w h u[i] + edge (h (left + right) + w (below + above))
//              + corner (the other four)
//   DIAGONAL(i) = centre w h
//
//   u         .xyzw   the vector; zero outside the domain
//   stencil   .xyzw   centre, edge, corner of an inner node, and the sum of all nine
uniform stream u;
uniform vec4 stencil;

vec4 apply(vec2 i) {
    vec2 m = i - 1.0;
    vec2 p = i + 1.0;
    vec4 beside = fetch(u, vec2(m.x, i.y)) + fetch(u, vec2(p.x, i.y));
    vec4 over = fetch(u, vec2(i.x, m.y)) + fetch(u, vec2(i.x, p.y));
    vec4 corners = fetch(u, m) + fetch(u, vec2(p.x, m.y)) + fetch(u, vec2(m.x, p.y)) + fetch(u, p);
    vec4 edges = HEIGHT(i) * beside + WIDTH(i) * over;
    return stencil.x * (WIDTH(i) * HEIGHT(i) * fetch(u, i)) + stencil.y * edges
        + stencil.z * corners;
}
#define APPLY(i) apply(i)
#define DIAGONAL(i) (stencil.x * WIDTH(i) * HEIGHT(i))
