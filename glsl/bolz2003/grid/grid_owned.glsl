// Prepended to kernels for the texels of the outermost two columns and rows if the result is to be summed: each
// node is then kept in one texel only (Bolz et al. 2003, section 4.2, texture layout; needs grid_nodes.glsl).
//
//   AT        the texel whose nodes are computed: this one
//   KEEP(v)   v, but zero in the ring, and in the column and row that a quadrant shares with the one
//             before it
vec4 owned(vec4 v) {
    vec2 t = here - 1.5;
    vec4 column = step(vec4(0.0, 1.0, 0.0, 1.0), vec4(t.x)) * step(t.x, quadrant.x);
    vec4 row = step(vec4(0.0, 0.0, 1.0, 1.0), vec4(t.y)) * step(t.y, quadrant.y);
    vec4 own = column * row;
    return COMPUTED(vec4(
        own.x > 0.0 ? v.x : 0.0,
        own.y > 0.0 ? v.y : 0.0,
        own.z > 0.0 ? v.z : 0.0,
        own.w > 0.0 ? v.w : 0.0));
}
#define AT here
#define KEEP(v) owned(v)
