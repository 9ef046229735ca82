// A scalar of conjugate gradients, computed on the GPU (Batty, Wiebe, Houston 2003, Appendix C, section 8): a
// surface of one texel, from two others.
//
//   result = above / below
//
//   above    .x     rtz, or the next iteration's rtz
//   below    .x     ptAp, or rtz
//   result   .xyzw  alpha, or beta, in all four channels
//
// Cost: 4 instructions, 2 of them fetches
uniform stream above;
uniform stream below;

void main() {
    result = vec4(fetch(above, vec2(0.5)).x / fetch(below, vec2(0.5)).x);
}
