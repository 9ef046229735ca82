// A boundary condition, alpha U + beta dU/dn = gamma, as terms of a node's equation (Goodnight et
// al. 2003, section 4.2, equation 3). Zero inside, where all four are zero.
//
//   c   .xyzw   alpha, beta, gamma, conductivity times the length of the node's piece of the side

// Whether the condition holds the value (beta = 0).
bool is_held(vec4 c) {
    return c.y == 0.0 && c.x != 0.0;
}

// s gamma / beta: what flows in whatever U is.
float inflow(vec4 c) {
    return c.y != 0.0 ? c.w * c.z / c.y : 0.0;
}

// s alpha / beta: what flows out for each unit of U.
float leak(vec4 c) {
    return c.y != 0.0 ? c.w * c.x / c.y : 0.0;
}
