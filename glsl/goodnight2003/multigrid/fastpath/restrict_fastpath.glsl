// The sum of a restriction at nodes that are not at a side: full weighting of nine residuals, with weights of 1 at
// the node, 1/2 next to it and 1/4 diagonally (Goodnight et al. 2003, sections 4.1.4 and 4.2; with nine.vert). The
// residuals contain the volumes, so that the weights add up to four.
//
//   fine     .y    the finer grid's residual
//   target   .xy   the coarser level's corner in the target
//
// STRIDED(fine): the finer grid has twice as many nodes per row
uniform stream fine;
uniform vec2 target;
in vec2 centre;
in vec4 corners;

// The node of a fragment.
vec2 own_node(vec2 fragment) {
    return fragment;
}

float restricted(vec2 node) {
    vec4 edges = vec4(
        fetch(fine, vec2(corners.x, centre.y)).y, fetch(fine, vec2(corners.z, centre.y)).y,
        fetch(fine, vec2(centre.x, corners.y)).y, fetch(fine, vec2(centre.x, corners.w)).y);
    vec4 diagonals = vec4(
        fetch(fine, corners.xy).y, fetch(fine, corners.zy).y,
        fetch(fine, corners.xw).y, fetch(fine, corners.zw).y);
    return fetch(fine, centre).y + (dot(edges, vec4(0.5)) + dot(diagonals, vec4(0.25)));
}

#define OWN_NODE(fragment) own_node(fragment)
#define RESTRICTED(node) restricted(node)
