// Layers one component of the velocity; on the sides of the domain, boundary conditions replace the advected
// value (Bolz et al. 2003, sections 4.1.1 and 4.2, texture layout).
//
//   advected[p]      = velocity.COMPONENT[p]
//   conditioned_x[p] = keep_x velocity_x[p] + inlet[p];   where the side is open,
//                      max(velocity_x[p], 0) + correction
//   conditioned_y[p] = keep_y velocity_y[p]
//   result[t]        = NODE at the four nodes of texel t
//
//   COMPONENT    x or y
//   NODE(p)      advected(p) for inner texels, conditioned_x(p) or conditioned_y(p) for the border
//   velocity     .xy     one node per texel
//   sides        .xyzw   of the same size: keep_x, keep_y, inlet, and 1 at nodes of the open side
//   correction   .x      one record, from outflow_correction.frag
//   stride       .xy     columns and rows from one quadrant to the next
//   result       .xyzw   the quadrants
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 57 instructions, 9 of them fetches, with grid_nodes grid_border, COMPONENT=x, NODE(p)=conditioned_x(p)
uniform stream velocity;
uniform stream sides;
uniform stream correction;
uniform vec2 stride;

float advected(vec2 p) {
    return fetch(velocity, p).COMPONENT;
}

float conditioned_x(vec2 p) {
    vec4 side = fetch(sides, p);
    float along = advected(p);
    float leaving = max(along, 0.0) + fetch(correction, vec2(0.5)).x;
    return side.w > 0.0 ? leaving : side.x * along + side.z;
}

float conditioned_y(vec2 p) {
    return fetch(sides, p).y * advected(p);
}

vec4 node(vec2 i) {
    vec2 p = i - 1.0;
    vec2 q = p + stride;
    return vec4(NODE(p), NODE(vec2(q.x, p.y)), NODE(vec2(p.x, q.y)), NODE(q));
}

void main() {
    result = KEEP(node(AT));
}
