// A boundary condition, alpha U + beta dU/dn = gamma, as terms of a node's equation (Goodnight et al. 2003,
// section 4.2, equation 3), read from its own map. Inside, all four channels of the map are zero, and so are the
// terms.
//
//   boundary_map   .xyzw   alpha, beta, gamma, s: conductivity times the length of the node's piece
//                          of the side
//   at_map         .xy     the node's position in the maps
//   c              .xyzw   the node's texel of that map
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

#define CONDITION(at_map) condition_at(at_map)
#define IS_HELD(c) is_held(c)
#define INFLOW(c) inflow(c)
#define LEAK(c) leak(c)
