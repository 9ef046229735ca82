// A boundary condition that fold_*.frag have folded into the operator map (Goodnight et al. 2003, section 4.2; needs
// red_black.glsl). A node at a side has its own stencil and source, and all nodes have the same equation:
// sum over k of a_k (U_k - U) - leak U = F.
//
//   red_black_map   .w      the leak; zero inside
//   at_map          .xy     the node's position in the maps
//   c               .xyzw   the node's texel of that map
//   a               .xyzw   the coefficients of the neighbours
//   flow            .x      sum over k of a_k U_k for a new value, of a_k (U_k - U) for a residual
vec4 condition_at(vec2 at_map) {
    return fetch(red_black_map, at_map);
}

// The value that solves a node's equation: (flow - F) / (sum over k of a_k + leak).
float solved(float flow, float f, vec4 a, vec4 c) {
    return (flow - f) / (dot(a, vec4(1.0)) + c.w);
}

// F - flow + leak U
float residual(float flow, float f, float u, vec4 c) {
    return f - flow + c.w * u;
}

#define CONDITION(at_map) condition_at(at_map)
#define SOLVED(flow, f, a, c) solved(flow, f, a, c)
#define RESIDUAL(flow, f, u, c) residual(flow, f, u, c)
