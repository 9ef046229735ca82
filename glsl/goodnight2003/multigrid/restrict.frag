// The finer grid's residual becomes the coarser grid's source (Goodnight et al. 2003, section
// 4.1.4; after restrict_*.glsl, which has the sum).
//
//   F = sum of weights times residuals,   U = 0
//
//   target   .xy     the coarser level's corner in the target
//   result   .xyzw   0, 0, F, 0
void main() {
    result = vec4(0.0, 0.0, RESTRICTED(OWN_NODE(floor(here - target))), 0.0);
}
