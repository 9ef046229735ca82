// The new velocity: subtracts the gradient of the pressure (Krueger and Westermann 2003, section 6, eqs. 3 and 4,
// where it is printed with a plus). Its backward differences and the forward differences of the divergence make up
// the five-point Laplacian. The two texels around the cells get the walls' mirror images.
//
//   u = G - dt (p(i, j) - p(i-1, j))        v = F - dt (p(i, j) - p(i, j-1))
//
//   explicit   .xy   G and F; cell (0, 0) is texel (2, 2)
//   pressure   .x    one cell per texel
//   size       .xy   columns and rows of cells
//   dt         .x    the time step
//   slip       .x    1 if fluid slips along walls, -1 if it sticks to them
//   lid        .x    the speed of the upper wall, to the right
//   result     .xy   u and v
//
// Cost: 51 instructions, 6 of them fetches
uniform stream explicit;
uniform stream pressure;
uniform vec2 size;
uniform float dt;
uniform float slip;
uniform float lid;

// A position beyond a wall, reflected at it.
vec2 reflected(vec2 p) {
    return size - abs(size - abs(p));
}

float gradient(vec2 node, vec2 back) {
    return fetch(pressure, node + 0.5).x - fetch(pressure, node + 0.5 - back).x;
}

void main() {
    vec2 node = here - 2.5;
    // Normal to a wall: zero on it, and with the opposite sign behind it.
    vec2 across = step(vec2(0.5), node) * step(node, size - 0.5)
                - step(node, vec2(-0.5)) - step(size + 0.5, node);
    // Along a wall: the wall is halfway between a node and its mirror image.
    vec2 behind = step(node, vec2(-0.5)) + step(size - 0.5, node);
    vec2 along = 1.0 + (slip - 1.0) * behind;
    vec2 at_u = reflected(node + vec2(0.0, 0.5)) - vec2(0.0, 0.5);
    vec2 at_v = reflected(node + vec2(0.5, 0.0)) - vec2(0.5, 0.0);
    float u = fetch(explicit, at_u + 2.5).x - dt * gradient(at_u, vec2(1.0, 0.0));
    float v = fetch(explicit, at_v + 2.5).y - dt * gradient(at_v, vec2(0.0, 1.0));
    float dragged = (1.0 - slip) * lid * step(size.y - 0.5, node.y);
    result = vec4(across.x * along.y * u + dragged, across.y * along.x * v, 0.0, 0.0);
}
