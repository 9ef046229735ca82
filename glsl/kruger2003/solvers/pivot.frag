// The candidates of a pivot search, before their reduction (Krueger and Westermann 2003, section 7, with the
// reduction of section 3.3).
//
//   result[i] = |a[i, k]| for i >= k, else -1                          to find the largest entry
//   result[i] = i if i >= k and |a[i, k]| >= largest, else BEYOND      to find the first row with it
//
//   FIND_ROW   defined for the second search
//   BEYOND     a number above all rows
//   a          .x    the matrix: columns as tiles, one entry per record
//   size       .xy   columns and rows of a tile
//   number     .x    k, from 0
//   tile_k     .xy   position of the tile of column k, counted in tiles
//   largest    .x    the result of the first search
//   result     .x    as above
//
// Cost: 11 instructions, 1 of them a fetch, with BEYOND=16777216
uniform stream a;
uniform vec2 size;
uniform float number;
uniform vec2 tile_k;
uniform float largest;

void main() {
    float i = (here.y - 0.5) * size.x + here.x - 0.5;
    float candidate = i > number - 0.5 ? abs(fetch(a, tile_k * size + here).x) : -1.0;
#ifdef FIND_ROW
    result = vec4(candidate >= largest ? i : BEYOND);
#else
    result = vec4(candidate);
#endif
}
