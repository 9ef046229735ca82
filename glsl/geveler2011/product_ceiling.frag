// The ceiling of a product, for timing (Geveler et al. 2011, section 3.2): the fetches of ellpack.frag, but those
// of x at neighbouring positions that are known beforehand. An entry is fetched by `packed.glsl` or `apart.glsl`.
//
//   ROW_LENGTH   entries per row
//   x            .xy   as for ellpack.frag
//   tile         .xy   columns and rows of a tile
//   line_end     .x    columns in a line of tiles
//   result       .xy   no meaning
uniform stream x;
uniform vec2 tile;
uniform float line_end;

void main() {
    vec2 p = here;
    vec4 sum = vec4(0.0);
    for (float k = 0.0; k < ROW_LENGTH; k += 1.0) {
        sum += ENTRY(p) * fetch(x, here + vec2(k, 0.0)).xyxy;
        p.x += tile.x;
        p += step(line_end, p.x) * vec2(-line_end, tile.y);
    }
    result = vec4(sum.xy + 1e-30 * sum.zw, 0.0, 0.0);
}
