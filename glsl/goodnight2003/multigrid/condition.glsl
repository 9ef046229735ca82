// A boundary condition, alpha U + beta dU/dn = gamma, as terms of a node's equation (Goodnight et al. 2003,
// section 4.2, equation 3), read from its own map. Inside, all four channels of the map are zero, and so are the
// terms.
//
//   boundary_map   .xyzw   alpha, beta, gamma, s: conductivity times the length of the node's piece
//                          of the side
//   at_map         .xy     the node's position in the maps
//   c              .xyzw   the node's texel of that map
//   a              .xyzw   the coefficients of the neighbours
//   flow           .x      sum over k of a_k U_k for a new value, of a_k (U_k - U) for a residual
uniform stream boundary_map;

vec4 condition_at(vec2 at_map) {
    return fetch(boundary_map, at_map);
}

// True if the condition prescribes the value (beta = 0).
bool is_held(vec4 c) {
    return c.y == 0.0 && c.x != 0.0;
}

// s gamma / beta: the part of the inflow that does not depend on U.
float inflow(vec4 c) {
    return c.y != 0.0 ? c.w * c.z / c.y : 0.0;
}

// s alpha / beta: the outflow per unit of U.
float leak(vec4 c) {
    return c.y != 0.0 ? c.w * c.x / c.y : 0.0;
}

// The value that solves a node's equation: (flow + s gamma / beta - F) / (sum over k of a_k + s
// alpha / beta); or gamma / alpha if the condition prescribes the value.
float solved(float flow, float f, vec4 a, vec4 c) {
    float free = (flow + inflow(c) - f) / (dot(a, vec4(1.0)) + leak(c));
    return is_held(c) ? c.z / c.x : free;
}

// F - flow - s (gamma - alpha U) / beta; 0 if the condition prescribes the value.
float residual(float flow, float f, float u, vec4 c) {
    float r = f - flow - (inflow(c) - leak(c) * u);
    return is_held(c) ? 0.0 : r;
}

#define CONDITION(at_map) condition_at(at_map)
#define IS_HELD(c) is_held(c)
#define INFLOW(c) inflow(c)
#define LEAK(c) leak(c)
#define SOLVED(flow, f, a, c) solved(flow, f, a, c)
#define RESIDUAL(flow, f, u, c) residual(flow, f, u, c)
