// A boundary condition, alpha U + beta dU/dn = gamma, as terms of a node's equation (Goodnight et
// al. 2003, section 4.2, equation 3). Zero inside, where all four are zero.
//
//   c   .xyzw   alpha, beta, gamma, conductivity times the length of the node's piece of the side
//   a   .xyzw   the coefficients of the neighbours

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

// The value that solves a node's equation: (flow + s gamma / beta - F) / (sum over k of a_k + s
// alpha / beta), with flow = sum over k of a_k U_k; or gamma / alpha where the condition holds the
// value.
float solved(float flow, float f, vec4 a, vec4 c) {
    float free = (flow + inflow(c) - f) / (dot(a, vec4(1.0)) + leak(c));
    return is_held(c) ? c.z / c.x : free;
}
