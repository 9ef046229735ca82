// Layering: the four quadrants of a plain grid become four channels (Bolz et al. 2003, section 4.2,
// texture layout).
//
//   result[t] = v[t + (0,0)], v[t + (1,0) stride], v[t + (0,1) stride], v[t + (1,1) stride]
//
//   v        .x      the grid, one node per texel, without a ring
//   stride   .xy     columns and rows from one quadrant to the next
//   result   .xyzw   the quadrants
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 47 instructions, 4 of them fetches, with grid_nodes grid_border
uniform stream v;
uniform vec2 stride;

vec4 node(vec2 i) {
    vec2 p = i - 1.0;
    vec2 q = p + stride;
    return vec4(fetch(v, p).x, fetch(v, vec2(q.x, p.y)).x, fetch(v, vec2(p.x, q.y)).x,
        fetch(v, q).x);
}

void main() {
    result = KEEP(node(AT));
}
