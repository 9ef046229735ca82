// Scale factors and conductivity at the nodes of the finest grid, if the CPU does not have them (Goodnight et al.
// 2003, section 5.3; needs metric_*.glsl).
//
//   columns   .x     xi of a column
//   rows      .x     eta of a row
//   result    .xyz   h1, h2, k
uniform stream columns;
uniform stream rows;

void main() {
    vec2 p = vec2(fetch(columns, vec2(here.x, 0.5)).x, fetch(rows, vec2(here.y, 0.5)).x);
    result = vec4(METRIC(p), 0.0);
}
