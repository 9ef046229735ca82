// The centre of the folded stencil (Goodnight et al. 2003, section 4.2; after condition.glsl): what a
// condition takes of U, beside the red-black map, where a channel is free. Of a node whose value is
// prescribed it takes `held`: 1 on the finest level, whose source holds the value; on coarser ones so
// much that the correction, F / held, is nothing.
//
//   red_black_map   .xyz    colour and weights
//   boundary_map    .xyzw   alpha, beta, gamma, s; zero inside
//   held            .x      the leak of a prescribed value
//   result          .xyzw   colour, weights, leak
uniform stream red_black_map;
uniform float held;

void main() {
    vec4 condition = CONDITION(here);
    float leak = IS_HELD(condition) ? held : LEAK(condition);
    result = vec4(fetch(red_black_map, here).xyz, leak);
}
