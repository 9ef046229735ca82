// One term of a row times a vector, sign * A[i, k] * x[j[i, k]] (Geveler et al. 2011, section 3.2).
//
// The arrays A and j are stored by columns: the entries k of all rows form a tile, laid out like the result,
// and the tiles are side by side, line by line, in one texture. An entry is fetched by `packed.glsl` or
// `apart.glsl`; the term is added to the running total by `single.glsl`, `pairs.glsl` or `native.glsl`.
//
//   x          .xy   the vector: high and low part of an entry
//   tile       .xy   columns and rows of a tile
//   line_end   .x    columns in a line of tiles
//
// RANDOM(x): any entry that the matrix points to
uniform stream x;
uniform vec2 tile;
uniform float line_end;

// Adds the term whose entry is at p, and moves p to the row's next entry.
void add_term(inout vec2 p, float sign) {
    vec4 entry_at_p = ENTRY(p);
    ADD_PRODUCT(sign * entry_at_p.xy, fetch(x, entry_at_p.zw).xy);
    p.x += tile.x;
    p += step(line_end, p.x) * vec2(-line_end, tile.y);
}

#define ADD_TERM(p, sign) add_term(p, sign)
