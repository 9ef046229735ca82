// The same as grid_nodes.glsl and grid_border.glsl together, but shorter, for grids on which each computed node
// has four neighbours: the sides are prescribed or periodic (Bolz et al. 2003, sections 4.1 and 4.2, texture
// layout). Four quadrants per texel, each at least two cells wide, so that the first quadrant does not reach the
// last column (row), nor the last quadrant the first. grid_inner.glsl follows it.
//
//   quadrant   .xy    columns and rows from one quadrant to the next
//   kept       .xyzw  first and last column, first and last row of the nodes that are computed
//
//   AT          the texel whose nodes are computed: in the ring, that of the neighbouring quadrant
//   KEEP(v)     the values computed there, each in the channel of its quadrant, and zero where no
//               node is computed
uniform vec2 quadrant;
uniform vec4 kept;

// +1 in the ring's first column (row), -1 in its last, 0 elsewhere.
vec2 ring() {
    return step(here, vec2(1.0)) - step(quadrant + 2.0, here);
}

vec4 surrounded(vec4 v) {
    vec2 crossed = abs(ring());
    vec4 beside = crossed.x > 0.0 ? v.yxwz : v;
    vec4 own = crossed.y > 0.0 ? beside.zwxy : beside;
    // 1 where the node of the first (last) quadrant is computed.
    vec2 first = step(kept.xz + 1.5, here);
    vec2 last = step(here, kept.yw - quadrant + 1.5);
    return vec4(
        first.x * first.y > 0.0 ? own.x : 0.0,
        last.x * first.y > 0.0 ? own.y : 0.0,
        first.x * last.y > 0.0 ? own.z : 0.0,
        last.x * last.y > 0.0 ? own.w : 0.0);
}
#define AT (here + ring() * quadrant)
#define KEEP(v) surrounded(v)
