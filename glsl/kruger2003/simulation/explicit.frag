// The explicit part of a fluid step: semi-Lagrangian advection and diffusion (Krueger and Westermann 2003,
// section 6, eqs. 5 and 6).
//
//   G = u(x - dt V) + dt viscosity lap u        F = v(x - dt V) + dt viscosity lap v
//
// u is on the left face of its cell and v on the lower one; cell (0, 0) is texel (2, 2). The Laplacian is taken at
// the node nearest to where the fluid comes from. Taken here, it would not belong to the fluid that is carried,
// and steps over many cells would not be stable.
//
//   velocity    .xy    u and v, with two texels around them for the walls' mirror images
//   from        .xyzw  x - dt V in texels, for u and for v (trace.frag)
//   size        .xy    columns and rows of cells
//   spread      .x     dt viscosity
//   result      .xy    G and F; zero on the walls that they point into
//
// INTERPOLATE: interpolate_linear.glsl or interpolate_cubic.glsl
// Cost: 63 instructions, 19 of them fetches, with interpolate_linear
uniform stream velocity;
uniform stream from;
uniform vec2 size;
uniform float spread;

// The sum of the differences to the four neighbours, at the node next to p.
vec4 laplacian(vec2 p) {
    vec2 node = floor(p) + 0.5;
    return fetch(velocity, node + vec2(1.0, 0.0)) + fetch(velocity, node - vec2(1.0, 0.0))
         + fetch(velocity, node + vec2(0.0, 1.0)) + fetch(velocity, node - vec2(0.0, 1.0))
         - 4.0 * fetch(velocity, node);
}

vec4 carried(vec2 p) {
    return INTERPOLATE(velocity, p) + spread * laplacian(p);
}

void main() {
    vec4 p = fetch(from, here);
    float g = carried(p.xy).x;
    float f = carried(p.zw).y;
    vec2 cell = here - 2.5;
    vec2 inside = step(vec2(0.5), cell) * step(cell, size - 0.5);
    result = vec4(inside * vec2(g, f), 0.0, 0.0);
}
