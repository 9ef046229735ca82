// What a half sweep leaves at a node (Goodnight et al. 2003, section 6): the colour stands in the
// red-black map (after red_black.glsl).
//
//   old, value      .x    before, and what the node's equation asks for
//   node            .xy   column and row from 0
//   at_map          .xy   the node's position in the maps
//   colour          .x    1 where red nodes get new values, 0 where black ones do
uniform float colour;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    return fetch(red_black_map, at_map).x == colour ? value : old;
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
