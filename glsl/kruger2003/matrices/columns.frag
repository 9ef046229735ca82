// The product of a dense matrix with a vector, several columns per pass (Krueger and Westermann 2003,
// section 3.2).
//
//   result[i] = before[i] + sum over c < COLUMNS of a_c[i] * x[c]
//
// The columns are side by side in one texture, as tiles. Those of a pass are in one row of tiles: each step moves to
// the next tile and to the next entry of x, starting from those of the pass's first column.
//
//   COLUMNS     columns in this pass; a multiple of four if there are four entries per record
//   CONTINUED   defined if there is a sum from an earlier pass
//   QUADS       defined if a record holds four consecutive entries
//   columns     .xyzw  the tiles: each a column of the matrix, laid out like x
//   x           .xyzw  the vector: one entry per record, or four consecutive ones
//   before      .xyzw  the sum so far
//   size        .xy    columns and rows of x
//   first_tile  .xy    lower left corner of the first column's tile
//   first_entry .xy    the record of its factor in x
//   result      .xyzw  the sum
//
// EXCEPTION(limits): twelve columns per pass fit, and twenty with four entries per record
//
// Cost: 35 instructions, 10 of them fetches, with COLUMNS=5
uniform stream columns;
uniform stream x;
uniform stream before;
uniform vec2 size;
uniform vec2 first_tile;
uniform vec2 first_entry;

// The position after p in a vector.
vec2 next(vec2 p) {
    vec2 q = p + vec2(1.0, 0.0);
    vec2 wrapped = q + vec2(-size.x, 1.0);
    return wrapped.x > 0.0 ? wrapped : q;
}

void main() {
    vec4 sum = vec4(0.0);
#ifdef CONTINUED
    sum = fetch(before, here);
#endif
    vec2 place = here + first_tile;
    vec2 entry = first_entry;
#ifdef QUADS
    for (float c = 0.0; c < COLUMNS; c += 4.0) {
        vec4 factor = fetch(x, entry);
        sum += fetch(columns, place) * factor.x;
        place.x += size.x;
        sum += fetch(columns, place) * factor.y;
        place.x += size.x;
        sum += fetch(columns, place) * factor.z;
        place.x += size.x;
        sum += fetch(columns, place) * factor.w;
#else
    for (float c = 0.0; c < COLUMNS; c += 1.0) {
        sum += fetch(columns, place) * fetch(x, entry).x;
#endif
        place.x += size.x;
        entry = next(entry);
    }
    result = sum;
}
