// A row of a matrix in ELLPACK times a vector (Geveler et al. 2011, section 3.2):
//
//   start + sign * sum over k < ROW_LENGTH of A[i, k] * x[j[i, k]]
//
// The arrays A and j are stored by columns: entry k of all rows is a tile that is laid out like the
// result, and the tiles stand side by side, line by line, in one texture. Shorter rows are padded with
// zeros that point anywhere.
//
//   ROW_LENGTH   entries of the longest row
//   matrix       .xyzw  high and low part of A[i, k], and the position of x[j[i, k]] in x
//   x            .xy    the vector: high and low part of an entry
//   tile         .xy    columns and rows of a tile
//   line_end     .x     columns of a line of tiles
uniform stream matrix;
uniform stream x;
uniform vec2 tile;
uniform float line_end;

vec2 row_times_x(vec2 start, float sign) {
    vec2 sum = start;
    vec2 p = here;
    for (float k = 0.0; k < ROW_LENGTH; k += 1.0) {
        vec4 entry = fetch(matrix, p);
        sum = PLUS_PRODUCT(sum, sign * entry.xy, fetch(x, entry.zw).xy);
        p.x += tile.x;
        p += step(line_end, p.x) * vec2(-line_end, tile.y);
    }
    return sum;
}

#define ROW_TIMES_X(start, sign) row_times_x(start, sign)
