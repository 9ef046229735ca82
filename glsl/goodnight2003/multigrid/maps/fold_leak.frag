// The centre of the folded stencil (Goodnight et al. 2003, section 4.2): the leak, which is the condition's
// coefficient of U, in the free channel of the red-black map. At a node with a prescribed value the leak is
// `held`: 1 on the finest level, whose source holds the value, and so large on coarser levels that the
// correction, F / held, is zero.
//
//   red_black_map   .xyz    colour and weights
//   boundary_map    .xyzw   alpha, beta, gamma, s; zero inside
//   held            .x      the leak of a node with a prescribed value
//   result          .xyzw   colour, weights, leak
//
// CONDITION, IS_HELD, LEAK: condition.glsl
// Cost: 11 instructions, 2 of them fetches, with condition
uniform stream red_black_map;
uniform float held;

void main() {
    vec4 condition = CONDITION(here);
    float leak = IS_HELD(condition) ? held : LEAK(condition);
    result = vec4(fetch(red_black_map, here).xyz, leak);
}
