// A scalar of conjugate gradients, computed on the card (Batty, Wiebe, Houston 2003, Appendix C, section
// 8): in a surface of one texel, from two others.
//
//   result = above / below
//
//   above    .x     rtz, or the next one
//   below    .x     ptAp, or rtz
//   result   .xyzw  alpha, or beta, four times
uniform stream above;
uniform stream below;

void main() {
    result = vec4(fetch(above, vec2(0.5)).x / fetch(below, vec2(0.5)).x);
}
