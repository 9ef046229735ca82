// The nodes of the grid around the wing (Goodnight et al. 2003, section 5.3).
//
//   p = (column dxi, row deta);   the last row has the same p as the first
//
//   spacing   .xy    dxi and deta
//   period    .x     rows without the replica
//   result    .xyzw  x and y in the frame of the body, h1 h2, h2 / h1
//
// METRIC, PLACE: metric_*.glsl
// Cost: 35 instructions, 0 of them fetches, with metric_joukowski, METRIC(p)=metric(p), PLACE(p)=place(p)
uniform vec2 spacing;
uniform float period;

void main() {
    vec2 p = spacing * vec2(here.x - 0.5, mod(here.y - 0.5, period));
    vec3 scale = METRIC(p);
    result = vec4(PLACE(p), scale.x * scale.y, scale.y / scale.x);
}
