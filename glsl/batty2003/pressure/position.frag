// The number of the texel that a program of this index would fetch, counted along the rows: a whole
// number below 2^24, and so exact. It shows whether the arithmetic of indices is (Batty, Wiebe, Houston
// 2003, section GPU Algorithm Implementation, and Appendix C, step 5).
//
//   columns   .x   texels in a row
//   how_far   .xy  from this texel to the one looked for, as septdiagmul.frag takes it
//   result    .x   its number
uniform float columns;
uniform vec2 how_far;

void main() {
    vec2 p = floor(NEIGHBOUR(OFFSET(how_far)));
    result = vec4(p.y * columns + p.x);
}
