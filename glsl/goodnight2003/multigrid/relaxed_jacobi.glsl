// The value at a node after a damped Jacobi sweep (Goodnight et al. 2003, section 4.1.2).
//
//   old, value   .x    value before the sweep, and the solution of the node's equation
//   node         .xy   column and row from 0
//   at_map       .xy   the node's position in the maps
//   omega        .x    the damping factor
uniform float omega;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    return old + omega * (value - old);
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
