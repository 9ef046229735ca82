// The share of a finer node's residual that a coarser node gets: the transpose of interpolation, along one axis
// whose last interval may be longer than the others (Goodnight et al. 2003, section 4.1.4; needs
// weight_uneven.glsl). Two nodes on either side can have a share. On a periodic axis, the last nodes are before the
// first one.
//
//   i             .x    the finer node, which may be beyond an end
//   coarse        .x    the coarser node, not a replica
//   nodes         .xy   number of nodes of the finer grid, and of the coarser one
//   is_periodic   .x    1 if the last node is a replica of the first
//   end           .x    the finer grid's last node, in units of its other intervals
float share(float i, float coarse, vec2 nodes, float is_periodic, float end) {
    float inside = i > nodes.x - 0.5 ? 0.0 : WEIGHT(i, coarse, nodes, end);
    float round_the_end = WEIGHT(i + nodes.x - 1.0, nodes.y - 1.0, nodes, end);
    return i < -0.5 ? is_periodic * round_the_end : inside;
}

// The node of the grid that i represents; any node if its share is zero.
float within(float i, float nodes, float is_periodic) {
    float before_first = max(is_periodic * (i + nodes - 1.0), 0.0);
    return i < -0.5 ? before_first : min(i, nodes - 1.0);
}

#define SHARE(i, coarse, nodes, is_periodic, end) share(i, coarse, nodes, is_periodic, end)
#define WITHIN(i, nodes, is_periodic) within(i, nodes, is_periodic)
