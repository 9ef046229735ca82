// The weights of interpolation, from the red-black map (Goodnight et al. 2003, section 6).
//
//   red_black_map   .yz   the weights of the coarser node behind, along columns and rows
uniform stream red_black_map;

vec2 weights(vec2 at_map) {
    return fetch(red_black_map, at_map).yz;
}

#define WEIGHTS(at_map) weights(at_map)
