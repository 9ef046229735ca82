// The texel at a given distance from this one, found by the paper's final method (Batty, Wiebe, Houston 2003,
// Appendix C, step 5): row and column are one number, (y - 1/2) + x / width. Its integer part is the row, and its
// fraction times the width the column. A fetch takes the integer part by itself.
//
// This is correct as long as the number's last bit is far less than half a texel (batty2003::Error::Precision).
//
//   width       .x   texels per row
//   inv_width   .x   1 / width
uniform float width;
uniform float inv_width;

// offset.y is the distance in rows: texels / width. The listing still passes offset.x, but does not use it.
vec2 neighbour(vec2 offset) {
    float row = here.y - 0.5 + here.x * inv_width + offset.y;
    return vec2(fract(row) * width, row);
}

#define NEIGHBOUR(offset) neighbour(offset)
