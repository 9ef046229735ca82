// The sum of a restriction (Goodnight et al. 2003, section 4.1.4), full weighting of nine
// residuals, at any node of a grid without periods (section 4.2, Figure 2; with nine.vert). Volumes
// are in the residuals, so the weights inside add up to four.
//
//   fine          .y      the finer grid's residual
//   fine_inside   .xyzw   positions of its first node and of its last
//   target, map   .xy     the coarser level's corner in the target and in the maps
//
// STRIDED(fine): the finer grid has twice as many nodes a row
uniform stream fine;
uniform vec4 fine_inside;
uniform vec2 target;
uniform vec2 map;
in vec2 center;
in vec4 corners;

// The node that a fragment computes.
vec2 own_node(vec2 fragment) {
    return fragment;
}

float restricted(vec2 node) {
    vec4 at = clamp(corners, fine_inside.xyxy, fine_inside.zwzw);
    vec2 before = 0.5 * step(fine_inside.xy - 0.5, corners.xy);
    vec2 behind = 0.5 * step(corners.zw, fine_inside.zw + 0.5);
    vec3 columns = vec3(before.x, 1.0, behind.x);
    vec3 below = vec3(
        fetch(fine, at.xy).y, fetch(fine, vec2(center.x, at.y)).y, fetch(fine, at.zy).y);
    vec3 beside = vec3(
        fetch(fine, vec2(at.x, center.y)).y, fetch(fine, center).y,
        fetch(fine, vec2(at.z, center.y)).y);
    vec3 above = vec3(
        fetch(fine, at.xw).y, fetch(fine, vec2(center.x, at.w)).y, fetch(fine, at.zw).y);
    vec3 lines = vec3(dot(columns, below), dot(columns, beside), dot(columns, above));
    return dot(vec3(before.y, 1.0, behind.y), lines);
}

#define OWN_NODE(fragment) own_node(fragment)
#define RESTRICTED(node) restricted(node)
