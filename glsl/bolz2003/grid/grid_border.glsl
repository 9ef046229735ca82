// Prepended to kernels for the texels of the outermost two columns and rows (Bolz et al. 2003, section 4.2,
// texture layout; needs grid_nodes.glsl). In the ring, the kernel computes the nodes that are duplicated there
// and exchanges their channels, so that the border is synchronised without a further pass. If indices are modulo N,
// the last quadrant's neighbour is the first one (section 4.1). If there is only one quadrant, it is its own
// neighbour, and the channels stay.
//
//   AT        the texel whose nodes are computed: in the ring, that of the neighbouring quadrant
//   KEEP(v)   the values computed there, each in the channel of its quadrant, and zero where no
//             node is computed

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
