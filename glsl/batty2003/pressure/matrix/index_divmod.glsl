// The texel at a given distance from this one, found naively (Batty, Wiebe, Houston 2003, Appendix C, before
// step 2): the distance is added to the texel's number, counted along the rows; the remainder and the quotient of
// the sum by the width are column and row. The paper describes this program but does not print it; the remainder is
// computed as Cg's library does.
//
//   width       .x   texels per row
uniform float width;

// The remainder with the sign of a.
float fmod(float a, float b) {
    float rest = fract(abs(a / b)) * abs(b);
    return a < 0.0 ? -rest : rest;
}

// offset.x is the distance in texels.
vec2 neighbour(vec2 offset) {
    float number = (here.y - 0.5) * width + here.x + offset.x;
    return vec2(fmod(number, width), number / width);
}

#define NEIGHBOUR(offset) neighbour(offset)
