// The texel at a given distance from this one, if each row of the texture is a slice of the grid (not in Batty,
// Wiebe, Houston 2003). A step along z is then one row. All other steps stay in the row, except for those into
// walls, whose entries are zero.
vec2 neighbour(vec2 offset) {
    return here + offset;
}

#define NEIGHBOUR(offset) neighbour(offset)
