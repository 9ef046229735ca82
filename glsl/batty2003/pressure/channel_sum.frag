// The last step of an inner product whose result stays on the GPU (Batty, Wiebe, Houston 2003, Appendix C,
// section 8): adds the four channels, which the reduction has summed separately, in a surface of one texel.
//
//   result = sum of the channels of the first texel
//
//   sums     .xyzw  the result of a reduction: its first texel is read
//   result   .xyzw  their sum in all four channels
//
// Cost: 2 instructions, 1 of them a fetch
uniform stream sums;

void main() {
    result = vec4(dot(fetch(sums, vec2(0.5)), vec4(1.0)));
}
