// Un-layering: the four channels become the quadrants of a plain grid again (Bolz et al. 2003,
// section 4.2, texture layout). The column and row that two quadrants share are read from the first.
//
//   result[i] = channel (p, q) of v[i - (p, q) stride],   p = i.x > stride.x, q = i.y > stride.y
//
//   v        .xyzw   the quadrants, with their ring
//   stride   .xy     columns and rows from one quadrant to the next
//   result   .x      the grid, one node per texel, without a ring
//
// Cost: 10 instructions, 1 of them a fetch
uniform stream v;
uniform vec2 stride;

void main() {
    vec2 second = 1.0 - step(here, stride + 0.75);
    vec4 quadrants = fetch(v, here + 1.0 - second * stride);
    vec2 row = second.y > 0.0 ? quadrants.zw : quadrants.xy;
    result = vec4(second.x > 0.0 ? row.y : row.x);
}
