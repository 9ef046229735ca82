// A stroke through a fluid: pushes each component of the velocity at its own faces (Krueger and Westermann 2003,
// section 6). The walls keep their velocity, and their mirror images follow the fluid.
//
//   u = u_before + change_x exp(-d^2 / radius^2), d the distance from the middle of the left face to the line
//   v = v_before + change_y exp(-d^2 / radius^2), d the distance from the middle of the lower face
//
//   before    .xy   u and v; cell (0, 0) is texel (2, 2)
//   size      .xy   columns and rows of cells
//   slip      .x    1 if fluid slips along walls, -1 if it sticks to them
//   change    .xy   the change on the line itself
//   result    .xy   u and v after the stroke
//
// a, b, radius, SQUARED: stroke.glsl, in cells from the lower left corner
// Cost: 55 instructions, 1 of them a fetch, with stream/stroke
uniform stream before;
uniform vec2 size;
uniform float slip;
uniform vec2 change;

// A position beyond a wall, reflected at it.
vec2 reflected(vec2 p) {
    return size - abs(size - abs(p));
}

void main() {
    vec2 node = here - 2.5;
    // The images behind walls change as in project.frag: normal components with the opposite sign, those on walls not
    // at all.
    vec2 across = step(vec2(0.5), node) * step(node, size - 0.5)
                - step(node, vec2(-0.5)) - step(size + 0.5, node);
    vec2 along = 1.0 + (slip - 1.0) * (step(node, vec2(-0.5)) + step(size - 0.5, node));
    float u = exp(-SQUARED(reflected(node + vec2(0.0, 0.5))));
    float v = exp(-SQUARED(reflected(node + vec2(0.5, 0.0))));
    result = fetch(before, here) + vec4(across * along.yx * change * vec2(u, v), 0.0, 0.0);
}
