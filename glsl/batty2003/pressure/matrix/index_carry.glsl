// The texel at a given distance from this one, found by adding digits (not in Batty, Wiebe, Houston 2003; for
// textures on which their methods fail). Columns and rows are added separately, and an overflow of the row is
// carried. All numbers are small and all results exact.
//
//   width       .x   texels per row
uniform float width;

// offset is the distance in two digits: columns (fewer than the width) and rows.
vec2 neighbour(vec2 offset) {
    vec2 p = here + offset;
    p += step(width, p.x) * vec2(-width, 1.0);
    return p + step(p.x, 0.0) * vec2(width, -1.0);
}

#define NEIGHBOUR(offset) neighbour(offset)
