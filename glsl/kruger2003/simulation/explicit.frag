// The explicit part of a fluid step: semi-Lagrangian advection and diffusion (Krueger and Westermann 2003,
// section 6, eqs. 5 and 6; needs interpolate_*.glsl).
//
//   G = u(x - dt V) + dt viscosity lap u        F = v(x - dt V) + dt viscosity lap v
//
// u is on the left face of its cell and v on the lower one; cell (0, 0) is texel (2, 2). The Laplacian is taken at
// the node nearest to where the fluid comes from. Taken here, it would not belong to the fluid that is carried,
// and steps over many cells would not be stable.
//
//   velocity    .xy   u and v, with two texels around them for the walls' mirror images
//   size        .xy   columns and rows of cells
//   dt          .x    the time step
//   viscosity   .x    the viscosity
//   result      .xy   G and F; zero on the walls that they point into
//
// EXCEPTION(limits): both components together take 79 arithmetic slots, and the limit is 64
uniform stream velocity;
uniform vec2 size;
uniform float dt;
uniform float viscosity;

// The sum of the differences to the four neighbours, at the node next to p.
vec4 laplacian(vec2 p) {
    vec2 node = floor(p) + 0.5;
    return fetch(velocity, node + vec2(1.0, 0.0)) + fetch(velocity, node - vec2(1.0, 0.0))
         + fetch(velocity, node + vec2(0.0, 1.0)) + fetch(velocity, node - vec2(0.0, 1.0))
         - 4.0 * fetch(velocity, node);
}

// The advected and diffused value at a point, in cells from the corner; the nodes of the value are at `offset`.
vec4 carried(vec2 place, vec2 speed, vec2 offset) {
    vec2 p = clamp(place - dt * speed, vec2(0.0), size) + offset;
    return INTERPOLATE(velocity, p) + dt * viscosity * laplacian(p);
}

void main() {
    vec2 cell = here - 2.5;
    vec2 center = fetch(velocity, here).xy;
    vec2 left = fetch(velocity, here - vec2(1.0, 0.0)).xy;
    vec2 below = fetch(velocity, here - vec2(0.0, 1.0)).xy;
    float v = 0.25 * (center.y + left.y + fetch(velocity, here + vec2(0.0, 1.0)).y
                      + fetch(velocity, here + vec2(-1.0, 1.0)).y);
    float u = 0.25 * (center.x + below.x + fetch(velocity, here + vec2(1.0, 0.0)).x
                      + fetch(velocity, here + vec2(1.0, -1.0)).x);
    float g = carried(cell + vec2(0.0, 0.5), vec2(center.x, v), vec2(2.5, 2.0)).x;
    float f = carried(cell + vec2(0.5, 0.0), vec2(u, center.y), vec2(2.0, 2.5)).y;
    vec2 inside = step(vec2(0.5), cell) * step(cell, size - 0.5);
    result = vec4(inside * vec2(g, f), 0.0, 0.0);
}
