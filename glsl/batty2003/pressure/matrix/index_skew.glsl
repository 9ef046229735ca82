// The texel at a given distance from this one, found in skewed coordinates (Batty, Wiebe, Houston 2003,
// Appendix C, step 2): a distance (texels, texels / width) can simply be added to (x, y - 1/2 + x / width). Then y
// is correct, and x needs a remainder: fmod by a stored inverse.
//
//   width       .x   texels per row
//   inv_width   .x   1 / width
uniform float width;
uniform float inv_width;

vec2 neighbour(vec2 offset) {
    vec2 skewed = vec2(here.x, here.y - 0.5 + here.x * inv_width) + offset;
    skewed.x -= floor(skewed.x * inv_width) * width;
    return skewed;
}

#define NEIGHBOUR(offset) neighbour(offset)
