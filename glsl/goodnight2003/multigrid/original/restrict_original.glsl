// The sum of a restriction in the original program, before optimisation: full weighting of nine residuals, with
// weights of 1 at the node, 1/2 next to it and 1/4 diagonally (Goodnight et al. 2003, section 4.1.4; needs
// general.glsl). The residuals contain the volumes, so that the weights inside add up to four. Nodes beyond a side
// that is not periodic count as zero.
//
//   fine          .y    the finer grid's residual
//   fine_source   .xy   the finer level's corner
//   fine_size     .xy   the finer level's columns and rows
//
// STRIDED(fine): the finer grid has twice as many nodes per row
uniform stream fine;
uniform vec2 fine_source;
uniform vec2 fine_size;

float fine_residual(float column, float row) {
    return fetch(fine, vec2(fine_source.x + column + 0.5, fine_source.y + row + 0.5)).y;
}

// The node of a fragment.
vec2 own_node(vec2 fragment) {
    return vec2(NODE(fragment.x, size.x, periodic.x), NODE(fragment.y, size.y, periodic.y));
}

float restricted(vec2 node) {
    float x = 2.0 * node.x;
    float y = 2.0 * node.y;
    float west = BEFORE(x, fine_size.x, periodic.x);
    float east = BEHIND(x, fine_size.x);
    float south = BEFORE(y, fine_size.y, periodic.y);
    float north = BEHIND(y, fine_size.y);
    float west_weight = west == x ? 0.0 : 0.5;
    float east_weight = east == x ? 0.0 : 0.5;
    float south_weight = south == y ? 0.0 : 0.5;
    float north_weight = north == y ? 0.0 : 0.5;
    float below = west_weight * fine_residual(west, south) + fine_residual(x, south)
        + east_weight * fine_residual(east, south);
    float beside = west_weight * fine_residual(west, y) + fine_residual(x, y)
        + east_weight * fine_residual(east, y);
    float above = west_weight * fine_residual(west, north) + fine_residual(x, north)
        + east_weight * fine_residual(east, north);
    return south_weight * below + beside + north_weight * above;
}

#define OWN_NODE(fragment) own_node(fragment)
#define RESTRICTED(node) restricted(node)
