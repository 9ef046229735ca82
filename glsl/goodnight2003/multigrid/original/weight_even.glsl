// What a node takes of a coarser one by interpolation (Goodnight et al. 2003, section 4.1.5), along
// one axis with equal intervals that the coarser grid halves in number: as in all grids of the
// paper.
//
//   fine, coarse   .x   the two nodes; not more than two of the finer grid's intervals apart
//   nodes          .xy  how many nodes the finer grid has, and the coarser one
//   end            .x   the finer grid's last node, in its intervals
float weight(float fine, float coarse, vec2 nodes, float end) {
    return 1.0 - 0.5 * abs(fine - 2.0 * coarse);
}

#define WEIGHT(fine, coarse, nodes, end) weight(fine, coarse, nodes, end)
