// Where the texel lies that is so far from this one, in skewed coordinates (Batty, Wiebe, Houston 2003,
// Appendix C, step 2): to (x, y - 1/2 + x / width) distances (texels, texels / width) can simply be
// added. Then y is right, and x needs a remainder: fmod by a stored inverse.
//
//   width       .x   texels in a row
//   inv_width   .x   1 / width
uniform float width;
uniform float inv_width;

vec2 neighbour(vec2 offset) {
    vec2 skewed = vec2(here.x, here.y - 0.5 + here.x * inv_width) + offset;
    skewed.x -= floor(skewed.x * inv_width) * width;
    return skewed;
}

#define NEIGHBOUR(offset) neighbour(offset)
