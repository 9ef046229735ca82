// Interpolates the coarser grid's correction and adds it, at nodes that are not at the end of a column or row
// (Goodnight et al. 2003, sections 4.1.5 and 4.2).
//
//   U = U + (1 - v) ((1 - w) c00 + w c10) + v ((1 - w) c01 + w c11)
//
//   state           .xyz    U, residual, F
//   coarse          .x      the correction
//   result          .xyzw   new U, residual, F, 0
//
// WEIGHTS: weights_computed.glsl or weights_stored.glsl; centres, corners: four.vert
// Cost: 13 instructions, 6 of them fetches, with weights_stored
uniform stream state;
uniform stream coarse;
in vec4 centres;
in vec4 corners;

void main() {
    vec4 centre = fetch(state, centres.xy);
    vec2 weight = WEIGHTS(centres.zw);
    vec2 left = vec2(fetch(coarse, corners.xy).x, fetch(coarse, corners.xw).x);
    vec2 right = vec2(fetch(coarse, corners.zy).x, fetch(coarse, corners.zw).x);
    vec2 lines = mix(left, right, weight.x);
    result = vec4(centre.x + mix(lines.x, lines.y, weight.y), centre.yz, 0.0);
}
