// The candidates of a pivot search, to be reduced (Krueger and Westermann 2003, section 7, with the
// reduction of section 3.3).
//
//   result[i] = |a[i, k]| for i >= k, else -1                          to find the largest
//   result[i] = i where i >= k and |a[i, k]| >= largest, else BEYOND   to find the first of these
//
//   FIND_ROW   defined for the second
//   BEYOND     a number above all rows
//   a          .x    the matrix: columns as tiles, one entry a record
//   size       .xy   columns and rows of a tile
//   number     .x    k, from 0
//   tile_k     .xy   the tile of column k: columns and rows of tiles
//   largest    .x    the result of the first search
//   result     .x    as above
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
