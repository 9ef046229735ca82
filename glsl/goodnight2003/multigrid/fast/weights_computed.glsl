// The weights of interpolation from the parity of column and row, computed by each fragment, for
// comparison with the red-black map (Goodnight et al. 2003, section 6, Figure 6). Where intervals
// are uneven, the general program runs.
//
//   map   .xy   the level's corner in the maps
uniform vec2 map;

vec2 weights(vec2 at_map) {
    return fract(0.5 * floor(at_map - map));
}

#define WEIGHTS(at_map) weights(at_map)
