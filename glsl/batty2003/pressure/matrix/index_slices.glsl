// Where the texel lies that is so far from this one, where each row of the texture is a slice of the
// grid (not in Batty, Wiebe, Houston 2003): a step along z is a step of a row, and no other leaves the
// row but into walls, whose entries are zero.
vec2 neighbour(vec2 offset) {
    return here + offset;
}

#define NEIGHBOUR(offset) neighbour(offset)
