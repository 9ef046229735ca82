// Where the texel lies that is so far from this one, in the naive way (Batty, Wiebe, Houston 2003,
// Appendix C, before step 2): the number of the texel, counted along the rows, plus the distance; its
// remainder and its quotient by the width are column and row. Not printed; this is what the text says.
//
//   width       .x   texels in a row
uniform float width;

// offset.x is the distance in texels.
vec2 neighbour(vec2 offset) {
    float number = (here.y - 0.5) * width + here.x + offset.x;
    return vec2(mod(number, width), number / width);
}

#define NEIGHBOUR(offset) neighbour(offset)
