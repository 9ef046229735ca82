// The finer grid's residual becomes the coarser grid's source (Goodnight et al. 2003, section
// 4.1.4; after restrict_original.glsl).
//
//   F = sum of weights times residuals,   U = 0
//
//   result   .xyzw   0, 0, F, 0
void main() {
    float column = node(floor(here.x - target.x), size.x, periodic.x);
    float row = node(floor(here.y - target.y), size.y, periodic.y);
    result = vec4(0.0, 0.0, restricted(column, row), 0.0);
}
