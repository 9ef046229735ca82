// The product of two dense matrices, several columns of the first per pass (Krueger and Westermann 2003,
// section 7, where it is future work, with the layout of section 3.2).
//
//   result[i, k] = before[i, k] + sum over c < COLUMNS of a[i, c] * b[c, k]
//
// All matrices have the same layout: columns as tiles of one texture, one entry per record.
//
//   COLUMNS       columns of a in this pass, all in one row of tiles
//   CONTINUED     defined if there is a sum from an earlier pass
//   a             .x    the first matrix
//   b             .x    the second matrix
//   before        .x    the sum so far
//   size          .xy   columns and rows of a tile
//   first_tile    .xy   lower left corner of the first column's tile in a
//   first_entry   .xy   position of the record of b[c, k] within a tile, for the first c
//   result        .x    the sum
//
// EXCEPTION(limits): as in columns.frag, some columns per pass fit; more need a longer program
//
// Cost: 46 instructions, 11 of them fetches, with COLUMNS=5, CONTINUED=1
uniform stream a;
uniform stream b;
uniform stream before;
uniform vec2 size;
uniform vec2 first_tile;
uniform vec2 first_entry;

// The position after p in a tile.
vec2 next(vec2 p) {
    vec2 q = p + vec2(1.0, 0.0);
    vec2 wrapped = q + vec2(-size.x, 1.0);
    return wrapped.x > 0.0 ? wrapped : q;
}

void main() {
    vec2 origin = floor(here / size) * size;
    vec4 sum = vec4(0.0);
#ifdef CONTINUED
    sum = fetch(before, here);
#endif
    vec2 place = here - origin + first_tile;
    vec2 entry = first_entry;
    for (float c = 0.0; c < COLUMNS; c += 1.0) {
        sum += fetch(a, place) * fetch(b, origin + entry);
        place.x += size.x;
        entry = next(entry);
    }
    result = sum;
}
