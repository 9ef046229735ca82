// Interpolates the coarser grid's correction and adds it, at any node (Goodnight et al. 2003, sections 4.1.5 and
// 4.2, Figure 2).
//
//   U = U + (1 - v) ((1 - w) c00 + w c10) + v ((1 - w) c01 + w c11)
//
//   state           .xyz    U, residual, F
//   coarse          .x      the correction
//   coarse_inside   .xyzw   positions of the coarser grid's first and last node
//   result          .xyzw   new U, residual, F, 0
//
// WEIGHTS: weights_computed.glsl or weights_stored.glsl; centres, corners: four.vert
// Cost: 17 instructions, 5 of them fetches, with weights_computed
uniform stream state;
uniform stream coarse;
uniform vec4 coarse_inside;
in vec4 centres;
in vec4 corners;

void main() {
    vec4 centre = fetch(state, centres.xy);
    vec2 weight = WEIGHTS(centres.zw);
    vec4 at = min(corners, coarse_inside.zwzw);
    vec2 left = vec2(fetch(coarse, at.xy).x, fetch(coarse, at.xw).x);
    vec2 right = vec2(fetch(coarse, at.zy).x, fetch(coarse, at.zw).x);
    vec2 lines = mix(left, right, weight.x);
    result = vec4(centre.x + mix(lines.x, lines.y, weight.y), centre.yz, 0.0);
}
