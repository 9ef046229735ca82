// What a half sweep leaves at a node (Goodnight et al. 2003, section 4.1.2): the colour is worked
// out by each fragment.
//
//   old, value   .x    before, and what the node's equation asks for
//   node         .xy   column and row from 0
//   at_map       .xy   the node's position in the maps
//   colour       .x    1 where red nodes get new values, 0 where black ones do
uniform float colour;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    float is_red = fract(0.5 * (node.x + node.y)) < 0.25 ? 1.0 : 0.0;
    return is_red == colour ? value : old;
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
