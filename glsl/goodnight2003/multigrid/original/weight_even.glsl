// The weight of a coarser node in the interpolation to a finer one (Goodnight et al. 2003, section 4.1.5), along one
// axis with equal intervals. The coarser grid has half as many, as on all grids of the paper.
//
//   fine, coarse   .x   the two nodes, at most two of the finer grid's intervals from each other
//   nodes          .xy  number of nodes of the finer grid, and of the coarser one
//   end            .x   the finer grid's last node, in units of its intervals
float weight(float fine, float coarse, vec2 nodes, float end) {
    return 1.0 - 0.5 * abs(fine - 2.0 * coarse);
}

#define WEIGHT(fine, coarse, nodes, end) weight(fine, coarse, nodes, end)
