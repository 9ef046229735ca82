// Scale factors and conductivity at the nodes of the finest grid, if the CPU does not have them (Goodnight et al.
// 2003, section 5.3).
//
//   columns   .x     xi of a column
//   rows      .x     eta of a row
//   result    .xyz   h1, h2, k
//
// METRIC: metric_*.glsl, or the user's
// Cost: 7 instructions, 1 of them a fetch, with metric_log_polar, METRIC(p)=metric(p)
uniform stream columns;
uniform stream rows;

void main() {
    vec2 p = vec2(fetch(columns, vec2(here.x, 0.5)).x, fetch(rows, vec2(here.y, 0.5)).x);
    result = vec4(METRIC(p), 0.0);
}
