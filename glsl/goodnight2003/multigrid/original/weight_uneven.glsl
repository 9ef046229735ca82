// The weight between a finer and a coarser node, for interpolation and for restriction (Goodnight et al. 2003,
// sections 4.1.4 and 4.1.5), along one axis whose last interval may be longer than the others, on either grid. If
// there is a single coarser node, its weight is 1.
//
//   fine, coarse   .x   the two nodes
//   nodes          .xy  number of nodes of the finer grid, and of the coarser one
//   end            .x   the finer grid's last node, in units of its other intervals
float coarse_place(float coarse, float nodes, float end) {
    return coarse > nodes - 1.5 ? end : 2.0 * coarse;
}

float weight(float fine, float coarse, vec2 nodes, float end) {
    float place = fine > nodes.x - 1.5 ? end : fine;
    float centre = coarse_place(coarse, nodes.y, end);
    float neighbour = coarse_place(place > centre ? coarse + 1.0 : coarse - 1.0, nodes.y, end);
    float between = max(1.0 - abs(place - centre) / abs(neighbour - centre), 0.0);
    return nodes.y < 1.5 ? 1.0 - coarse : between;
}

#define WEIGHT(fine, coarse, nodes, end) weight(fine, coarse, nodes, end)
