// The value at a node after half a sweep; the colour is stored in the red-black map (Goodnight et al. 2003,
// section 6; needs red_black.glsl).
//
//   old, value      .x    value before the sweep, and the solution of the node's equation
//   node            .xy   column and row from 0
//   at_map          .xy   the node's position in the maps
//   colour          .x    1 if red nodes get new values, 0 if black ones do
uniform float colour;

float relaxed(float old, float value, vec2 node, vec2 at_map) {
    return fetch(red_black_map, at_map).x == colour ? value : old;
}

#define RELAXED(old, value, node, at_map) relaxed(old, value, node, at_map)
