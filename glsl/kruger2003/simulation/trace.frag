// Origins of the fluid that arrives at the faces of each cell (Krueger and Westermann 2003, section 6; Stam's
// semi-Lagrangian advection): the first pass of the explicit part, which is too long for one program.
//
//   result = x - dt V(x) for both faces of a cell
//
// u is on the left face of its cell and v on the lower one; cell (0, 0) is texel (2, 2).
//
//   velocity    .xy    u and v, with two texels around them for the walls' mirror images
//   size        .xy    columns and rows of cells
//   dt          .x     the time step
//   result      .xyzw  position for u in texels, and for v
//
// Cost: 29 instructions, 7 of them fetches
uniform stream velocity;
uniform vec2 size;
uniform float dt;

void main() {
    vec2 cell = here - 2.5;
    vec2 centre = fetch(velocity, here).xy;
    vec2 left = fetch(velocity, here - vec2(1.0, 0.0)).xy;
    vec2 below = fetch(velocity, here - vec2(0.0, 1.0)).xy;
    float v = 0.25 * (centre.y + left.y + fetch(velocity, here + vec2(0.0, 1.0)).y
                      + fetch(velocity, here + vec2(-1.0, 1.0)).y);
    float u = 0.25 * (centre.x + below.x + fetch(velocity, here + vec2(1.0, 0.0)).x
                      + fetch(velocity, here + vec2(1.0, -1.0)).x);
    vec2 at_u = clamp(cell + vec2(0.0, 0.5) - dt * vec2(centre.x, v), vec2(0.0), size) + vec2(2.5, 2.0);
    vec2 at_v = clamp(cell + vec2(0.5, 0.0) - dt * vec2(u, centre.y), vec2(0.0), size) + vec2(2.0, 2.5);
    result = vec4(at_u, at_v);
}
