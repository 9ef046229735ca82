// The number of the texel that a program with this index arithmetic would fetch, counted along the rows: an
// integer below 2^24, and therefore exact. The number shows whether the index arithmetic is exact as well (Batty,
// Wiebe, Houston 2003, section GPU Algorithm Implementation, and Appendix C, step 5).
//
//   columns   .x   texels per row
//   how_far   .xy  distance from this texel, as in septdiagmul.frag
//   result    .x   the texel's number
//
// NEIGHBOUR: index_*.glsl; OFFSET: offsets_*.glsl
// Cost: 7 instructions, 0 of them fetches, with index_frac offsets_prebuilt
uniform float columns;
uniform vec2 how_far;

void main() {
    vec2 p = floor(NEIGHBOUR(OFFSET(how_far)));
    result = vec4(p.y * columns + p.x);
}
