// The product of a dense matrix with a vector, several columns per pass (Krueger and Westermann 2003,
// section 3.2).
//
//   result[i] = before[i] + sum over c < COLUMNS of a_c[i] * x[c]
//
// The columns are side by side in one texture, as tiles. Each step moves to the next tile and to the next entry
// of x, starting from those of the pass's first column.
//
//   COLUMNS     columns in this pass; a multiple of four if there are four entries per record
//   CONTINUED   defined if there is a sum from an earlier pass
//   QUADS       defined if a record holds four consecutive entries
//   columns     .xyzw  the tiles: each a column of the matrix, laid out like x
//   x           .xyzw  the vector: one entry per record, or four consecutive ones
//   before      .xyzw  the sum so far
//   size        .xy    columns and rows of x
//   across      .x     tiles per row
//   first_tile  .xy    position of the first column's tile, counted in tiles
//   first_entry .xy    the record of its factor in x
//   result      .xyzw  the sum
//
// EXCEPTION(limits): eight columns per pass take 79 arithmetic slots, and the limit is 64
uniform stream columns;
uniform stream x;
uniform stream before;
uniform vec2 size;
uniform float across;
uniform vec2 first_tile;
uniform vec2 first_entry;

// The position after p, in rows of this width.
vec2 next(vec2 p, float width) {
    vec2 q = p + vec2(1.0, 0.0);
    return q + step(width, q.x) * vec2(-width, 1.0);
}

void main() {
    vec4 sum = vec4(0.0);
#ifdef CONTINUED
    sum = fetch(before, here);
#endif
    vec2 tile = first_tile;
    vec2 entry = first_entry;
#ifdef QUADS
    for (float c = 0.0; c < COLUMNS; c += 4.0) {
        vec4 factor = fetch(x, entry);
        sum += fetch(columns, here + tile * size) * factor.x;
        tile = next(tile, across);
        sum += fetch(columns, here + tile * size) * factor.y;
        tile = next(tile, across);
        sum += fetch(columns, here + tile * size) * factor.z;
        tile = next(tile, across);
        sum += fetch(columns, here + tile * size) * factor.w;
#else
    for (float c = 0.0; c < COLUMNS; c += 1.0) {
        sum += fetch(columns, here + tile * size) * fetch(x, entry).x;
#endif
        tile = next(tile, across);
        entry = next(entry, size.x);
    }
    result = sum;
}
