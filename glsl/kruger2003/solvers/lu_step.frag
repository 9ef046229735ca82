// One step of Gaussian elimination, including the row exchange (Krueger and Westermann 2003, section 7, where it
// is future work, with the layout of section 3.2).
//
//   after rows k and p have been exchanged:
//   result[i, j] = a[i, j] - a[i, k] / a[k, k] * a[k, j]   for i > k, j > k
//                  a[i, k] / a[k, k]                       for i > k, j = k: an entry of L
//                  a[i, j]                                 elsewhere
//
//   a        .x    the matrix: columns as tiles, one entry per record
//   size     .xy   columns and rows of a tile
//   across   .x    tiles per row
//   number   .xy   k and p, from 0
//   place_k  .xy   the record of row k within a tile
//   place_p  .xy   the record of row p within a tile
//   tile_k   .xy   position of the tile of column k, counted in tiles
//   result   .x    the matrix after the step
//
// Cost: 38 instructions, 4 of them fetches
uniform stream a;
uniform vec2 size;
uniform float across;
uniform vec2 number;
uniform vec2 place_k;
uniform vec2 place_p;
uniform vec2 tile_k;

void main() {
    vec2 tile = floor(here / size);
    vec2 inside = here - tile * size;
    float i = (inside.y - 0.5) * size.x + inside.x - 0.5;
    float j = tile.y * across + tile.x;
    // The position of this row before the exchange.
    vec2 row = abs(i - number.y) < 0.5 ? place_k : inside;
    row = abs(i - number.x) < 0.5 ? place_p : row;
    vec4 own = fetch(a, tile * size + row);
    vec4 above = fetch(a, tile * size + place_p);
    float factor = fetch(a, tile_k * size + row).x / fetch(a, tile_k * size + place_p).x;
    vec4 eliminated = own - factor * above;
    vec4 right = j > number.x + 0.5 ? eliminated : own;
    vec4 below = abs(j - number.x) < 0.5 ? vec4(factor) : right;
    result = i > number.x + 0.5 ? below : own;
}
