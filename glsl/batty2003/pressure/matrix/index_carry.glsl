// Where the texel lies that is so far from this one, by adding digits (not in Batty, Wiebe, Houston
// 2003; for textures on which their ways fail): columns and rows are added apart, and what overflows
// the row is carried. All numbers are small and all results exact.
//
//   width       .x   texels in a row
uniform float width;

// offset is the distance in two digits: columns, less than the width, and rows.
vec2 neighbour(vec2 offset) {
    vec2 p = here + offset;
    p += step(width, p.x) * vec2(-width, 1.0);
    return p + step(p.x, 0.0) * vec2(width, -1.0);
}

#define NEIGHBOUR(offset) neighbour(offset)
