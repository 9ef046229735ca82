// Restricts the finer grid's residual to the coarser grid's source, and does the first pass of the smoother in the
// same pass (Goodnight et al. 2003, sections 4.1.2, 4.1.4 and 6; needs restrict_*.glsl, condition*.glsl and
// relaxed_*.glsl).
//
//   F = sum of the nine nearest residuals, weighted by 1, 1/2 and 1/4
//   U = -F / (sum over k of a_k + s alpha / beta)
//
// RESTRICTED is the sum, SOLVED solves the node's equation for U, and RELAXED keeps the nodes of one colour. From
// U = 0 the smoother needs no neighbours.
//
//   operator_map   .xyzw   a_k: west, east, south, north, of the coarser grid
//   target, map    .xy     the coarser level's corner in the target and in the maps
//   result         .xyzw   U (zero at nodes of the other colour), 0, F, 0
uniform stream operator_map;

void main() {
    vec2 node = OWN_NODE(floor(here - target));
    vec2 at_map = map + node + 0.5;
    float f = RESTRICTED(node);
    vec4 a = fetch(operator_map, at_map);
    vec4 condition = CONDITION(at_map);
    float value = SOLVED(0.0, f, a, condition);
    result = vec4(RELAXED(0.0, value, node, at_map), 0.0, f, 0.0);
}
