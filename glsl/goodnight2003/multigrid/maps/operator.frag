// The operator of each node of the finest level (Goodnight et al. 2003, section 5.3).
//
//   E = k h2 / h1 (at the midpoint to the east) * width of rows / interval to the east
//
// W, S and N are analogous. The units are the finest spacings, so that a square Cartesian grid has exactly 1
// everywhere inside.
//
//   columns   .x     xi of a column; in row 0 before it, in row 1 behind it:
//             .yzw   xi midway to its neighbour, its width, 1 / distance (0: no neighbour)
//   rows      .xyzw  the same of eta
//   target    .xy    the level's corner in the target
//   aspect    .xy    spacing of eta over spacing of xi, and its inverse
//   result    .xyzw  W, E, S, N
//
// METRIC: metric_*.glsl, or the user's
// Cost: 18 instructions, 4 of them fetches, with metric_polar, METRIC(p)=metric(p)
uniform stream columns;
uniform stream rows;
uniform vec2 target;
uniform vec2 aspect;

void main() {
    vec2 node = here - target;
    vec4 west = fetch(columns, vec2(node.x, 0.5));
    vec4 east = fetch(columns, vec2(node.x, 1.5));
    vec4 south = fetch(rows, vec2(node.y, 0.5));
    vec4 north = fetch(rows, vec2(node.y, 1.5));
    vec3 w = METRIC(vec2(west.y, south.x));
    vec3 e = METRIC(vec2(east.y, south.x));
    vec3 s = METRIC(vec2(west.x, south.y));
    vec3 n = METRIC(vec2(west.x, north.y));
    vec2 across = vec2(w.z * w.y / w.x * west.w, e.z * e.y / e.x * east.w) * south.z * aspect.x;
    vec2 along = vec2(s.z * s.x / s.y * south.w, n.z * n.x / n.y * north.w) * west.z * aspect.y;
    result = vec4(across, along);
}
