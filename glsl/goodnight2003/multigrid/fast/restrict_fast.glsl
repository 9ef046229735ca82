// The sum of a restriction at any node of a grid without periodic sides: full weighting of nine residuals, with
// weights of 1 at the node, 1/2 next to it and 1/4 diagonally (Goodnight et al. 2003, sections 4.1.4 and 4.2, Figure
// 2; with nine.vert). The residuals contain the volumes, so that the weights inside add up to four.
//
//   fine          .y      the finer grid's residual
//   fine_inside   .xyzw   positions of its first and last node
//   target, map   .xy     the coarser level's corner in the target and in the maps
//
// STRIDED(fine): the finer grid has twice as many nodes per row
uniform stream fine;
uniform vec4 fine_inside;
uniform vec2 target;
uniform vec2 map;
in vec2 centre;
in vec4 corners;

// The node of a fragment.
vec2 own_node(vec2 fragment) {
    return fragment;
}

float restricted(vec2 node) {
    vec4 at = clamp(corners, fine_inside.xyxy, fine_inside.zwzw);
    vec2 before = 0.5 * step(fine_inside.xy - 0.5, corners.xy);
    vec2 behind = 0.5 * step(corners.zw, fine_inside.zw + 0.5);
    vec3 columns = vec3(before.x, 1.0, behind.x);
    vec3 below = vec3(
        fetch(fine, at.xy).y, fetch(fine, vec2(centre.x, at.y)).y, fetch(fine, at.zy).y);
    vec3 beside = vec3(
        fetch(fine, vec2(at.x, centre.y)).y, fetch(fine, centre).y,
        fetch(fine, vec2(at.z, centre.y)).y);
    vec3 above = vec3(
        fetch(fine, at.xw).y, fetch(fine, vec2(centre.x, at.w)).y, fetch(fine, at.zw).y);
    vec3 lines = vec3(dot(columns, below), dot(columns, beside), dot(columns, above));
    return dot(vec3(before.y, 1.0, behind.y), lines);
}

#define OWN_NODE(fragment) own_node(fragment)
#define RESTRICTED(node) restricted(node)
