// Un-layering of both components of the velocity at once, as unlayer.frag for one stream (Bolz et al. 2003,
// sections 4.2, texture layout, and 4.3: advection cannot fetch four channels from four positions).
//
//   result[i] = channel (p, q) of (u_x, u_y)[i - (p, q) stride],
//
// where p = i.x > stride.x and q = i.y > stride.y.
//
//   u_x      .xyzw   the first component: the quadrants, with their ring
//   u_y      .xyzw   the second component
//   stride   .xy     columns and rows from one quadrant to the next
//   result   .xy     the velocity, one node per texel, without a ring
//
// Cost: 16 instructions, 2 of them fetches
uniform stream u_x;
uniform stream u_y;
uniform vec2 stride;

void main() {
    vec2 second = 1.0 - step(here, stride + 0.75);
    vec2 texel = here + 1.0 - second * stride;
    vec4 x = fetch(u_x, texel);
    vec4 y = fetch(u_y, texel);
    vec4 row = second.y > 0.0 ? vec4(x.zw, y.zw) : vec4(x.xy, y.xy);
    vec2 velocity = second.x > 0.0 ? row.yw : row.xz;
    result = vec4(velocity, 0.0, 0.0);
}
