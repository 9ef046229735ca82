// The weights of interpolation, which each fragment computes from the parity of column and row, for comparison with
// the red-black map (Goodnight et al. 2003, section 6, Figure 6). On uneven intervals the general program runs.
//
//   map   .xy   the level's corner in the maps
uniform vec2 map;

vec2 weights(vec2 at_map) {
    return fract(0.5 * floor(at_map - map));
}

#define WEIGHTS(at_map) weights(at_map)
