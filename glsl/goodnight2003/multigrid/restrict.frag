// Restricts the finer grid's residual to the coarser grid's source (Goodnight et al. 2003, section 4.1.4).
//
//   F = sum of the nine nearest residuals, weighted by 1, 1/2 and 1/4,   U = 0
//
// The sum is RESTRICTED: in restrict_fastpath.glsl for inner nodes, in restrict_fast.glsl or restrict_original.glsl
// for all nodes, and in restrict_uneven.glsl, of 25 residuals, for uneven intervals. OWN_NODE is the fragment's node.
//
//   target   .xy     the coarser level's corner in the target
//   result   .xyzw   0, 0, F, 0
//
// Cost: 39 instructions, 9 of them fetches, with restrict_fast
void main() {
    result = vec4(0.0, 0.0, RESTRICTED(OWN_NODE(floor(here - target))), 0.0);
}
