// Restricts the finer grid's residual to the coarser grid's source, and does the first pass of the smoother in the
// same pass, at nodes that are not at a side (Goodnight et al. 2003, sections 4.1.2, 4.1.4 and 6; needs
// restrict_fastpath.glsl and relaxed_*.glsl).
//
//   F = sum of the nine nearest residuals, weighted by 1, 1/2 and 1/4,   U = -F / sum over k of a_k
//
// The sum is RESTRICTED, in restrict_fastpath.glsl. From U = 0 the smoother needs no neighbours.
//
//   operator_map   .xyzw   a_k: west, east, south, north, of the coarser grid
//   target, map    .xy     the coarser level's corner in the target and in the maps
//   result         .xyzw   U (zero at nodes of the other colour), 0, F, 0
uniform stream operator_map;
uniform vec2 map;

void main() {
    vec2 node = floor(here - target);
    vec2 at_map = here - target + map;
    float f = RESTRICTED(node);
    float value = -f / dot(fetch(operator_map, at_map), vec4(1.0));
    result = vec4(RELAXED(0.0, value, node, at_map), 0.0, f, 0.0);
}
