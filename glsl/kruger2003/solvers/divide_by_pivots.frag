// The end of a back substitution: divides each row by its diagonal entry (Krueger and Westermann 2003, section 7,
// with the layout of section 3.2).
//
//   result[i] = x[i] / a[i, i]
//
//   a        .x    the matrix: columns as tiles, one entry per record
//   x        .x    the right-hand side after substitution
//   size     .xy   columns and rows of a tile
//   across   .x    tiles per row
//   result   .x    the unknowns
//
// Cost: 16 instructions, 2 of them fetches
uniform stream a;
uniform stream x;
uniform vec2 size;
uniform float across;

void main() {
    vec2 inside = here;
    float i = (inside.y - 0.5) * size.x + inside.x - 0.5;
    // Half a tile more, so that a rounding error does not end in the row of tiles below.
    float row = floor((i + 0.5) / across);
    vec2 tile = vec2(i - row * across, row);
    result = fetch(x, inside) / fetch(a, tile * size + inside);
}
