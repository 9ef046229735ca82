// The end of a back substitution: every row is divided by the diagonal's entry (Krueger and
// Westermann 2003, section 7, on the layout of section 3.2).
//
//   result[i] = x[i] / a[i, i]
//
//   a        .x    the matrix: columns as tiles, one entry a record
//   x        .x    the rows
//   size     .xy   columns and rows of a tile
//   across   .x    tiles in a row
//   result   .x    the unknowns
uniform stream a;
uniform stream x;
uniform vec2 size;
uniform float across;

void main() {
    vec2 inside = here;
    float i = (inside.y - 0.5) * size.x + inside.x - 0.5;
    // Half a tile more, so that no rounding leads into the row of tiles below.
    float row = floor((i + 0.5) / across);
    vec2 tile = vec2(i - row * across, row);
    result = fetch(x, inside) / fetch(a, tile * size + inside);
}
