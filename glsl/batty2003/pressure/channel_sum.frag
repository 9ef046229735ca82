// The last step of an inner product whose result stays on the card (Batty, Wiebe, Houston 2003,
// Appendix C, section 8): the four channels that the reduction has summed apart, in a surface of one texel.
//
//   result = sum of the channels of the first texel
//
//   sums     .xyzw  what a reduction has left: its first texel is read
//   result   .xyzw  their sum, four times
uniform stream sums;

void main() {
    result = vec4(dot(fetch(sums, vec2(0.5)), vec4(1.0)));
}
