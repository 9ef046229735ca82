// What a coarser node is given of finer ones, by interpolation the other way round (Goodnight et al.
// 2003, section 4.1.4), along one axis whose last interval may be longer than the others: two nodes
// on either side can have a share (after weight_uneven.glsl). Before the first node of a period lie
// the last ones.
//
//   i             .x    the finer node, which may lie beyond an end
//   coarse        .x    the coarser node; no replica
//   nodes         .xy   how many nodes the finer grid has, and the coarser one
//   is_periodic   .x    1 where the last node is a replica of the first
//   end           .x    the finer grid's last node, in its other intervals
float share(float i, float coarse, vec2 nodes, float is_periodic, float end) {
    float inside = i > nodes.x - 0.5 ? 0.0 : WEIGHT(i, coarse, nodes, end);
    float round_the_end = WEIGHT(i + nodes.x - 1.0, nodes.y - 1.0, nodes, end);
    return i < -0.5 ? is_periodic * round_the_end : inside;
}

// The node within the grid that it is; any, where its share is zero.
float within(float i, float nodes, float is_periodic) {
    float before_first = max(is_periodic * (i + nodes - 1.0), 0.0);
    return i < -0.5 ? before_first : min(i, nodes - 1.0);
}

#define SHARE(i, coarse, nodes, is_periodic, end) share(i, coarse, nodes, is_periodic, end)
#define WITHIN(i, nodes, is_periodic) within(i, nodes, is_periodic)
