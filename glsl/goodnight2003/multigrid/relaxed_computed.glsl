// The value at a node after half a sweep; each fragment computes its colour (Goodnight et al. 2003, section 4.1.2).
//
//   old, value   .x    value before the sweep, and the solution of the node's equation
//   node         .xy   column and row from 0
//   at_map       .xy   the node's position in the maps
//   colour       .x    1 if red nodes get new values, 0 if black ones do
uniform float colour;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    float is_red = fract(0.5 * (node.x + node.y)) < 0.25 ? 1.0 : 0.0;
    return is_red == colour ? value : old;
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
