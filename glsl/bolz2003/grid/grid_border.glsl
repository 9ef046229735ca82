// Put in front of a kernel over a grid for the texels of the outermost two columns and rows (after
// grid_nodes.glsl; Bolz et al. 2003, section 4.2, texture layout). In the ring the kernel runs for
// the node that is duplicated, and its channels change places; so the border is in step without a
// further pass. Where indices are modulo N the last quadrant's neighbour is the first one
// (section 4.1); a stream of one quadrant is its own, and its channels stay.
//
//   AT        the texel whose nodes are computed: in the ring, that of the neighbouring quadrant
//   KEEP(v)   what of the values computed there is kept here: each in the channel of its quadrant,
//             and zero where no node is computed

// +1 in the ring's first column (row), -1 in its last, 0 elsewhere.
vec2 ring() {
    return step(here, vec2(1.0)) - step(quadrant + 2.0, here);
}

vec4 duplicate(vec4 v) {
    vec2 crossed = abs(ring()) * step(quadrant + 0.5, cells);
    vec4 beside = crossed.x > 0.0 ? v.yxwz : v;
    return COMPUTED(crossed.y > 0.0 ? beside.zwxy : beside);
}
#define AT (here + ring() * quadrant)
#define KEEP(v) duplicate(v)
