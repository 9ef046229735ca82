// What a sweep of Jacobi leaves at a node (Goodnight et al. 2003, section 4.1.2): all nodes go a
// part of the way.
//
//   old, value   .x    before, and what the node's equation asks for
//   node         .xy   column and row from 0
//   at_map       .xy   the node's position in the maps
//   omega        .x    the part
uniform float omega;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    return old + omega * (value - old);
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
