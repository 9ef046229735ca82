// The texel at a given distance from this one, found naively (Batty, Wiebe, Houston 2003, Appendix C, before
// step 2): the distance is added to the texel's number, counted along the rows; the remainder and the quotient of
// the sum by the width are column and row. The paper describes this program but does not print it.
//
//   width       .x   texels per row
uniform float width;

// offset.x is the distance in texels.
vec2 neighbour(vec2 offset) {
    float number = (here.y - 0.5) * width + here.x + offset.x;
    return vec2(mod(number, width), number / width);
}

#define NEIGHBOUR(offset) neighbour(offset)
