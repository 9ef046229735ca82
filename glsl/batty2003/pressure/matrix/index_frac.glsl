// Where the texel lies that is so far from this one, in the paper's final way (Batty, Wiebe, Houston
// 2003, Appendix C, step 5): the row with the column as its fraction, (y - 1/2) + x / width, is one
// number. Its whole part is the row, its fraction times the width the column. A fetch takes the whole
// part by itself.
//
// Right as long as the number's last bit is far less than half a texel (LiquidError::Precision).
//
//   width       .x   texels in a row
//   inv_width   .x   1 / width
uniform float width;
uniform float inv_width;

// offset.y is the distance in rows: texels / width. The listing hands offset.x over, but needs it no
// longer.
vec2 neighbour(vec2 offset) {
    float row = here.y - 0.5 + here.x * inv_width + offset.y;
    return vec2(fract(row) * width, row);
}

#define NEIGHBOUR(offset) neighbour(offset)
