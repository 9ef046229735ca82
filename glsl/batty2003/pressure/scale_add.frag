// Scale-Add with a factor that has never left the GPU (Batty, Wiebe, Houston 2003, Appendix C, section 8).
//
//   result = x + sign * factor * y
//
//   x        .xyzw  entries of a vector
//   y        .xyzw  entries of the other vector
//   factor   .x     a scalar, in a surface of one texel
//   sign_of_y .x    1 or -1
//   result   .xyzw  entries of the sum
//
// Cost: 5 instructions, 3 of them fetches
uniform stream x;
uniform stream y;
uniform stream factor;
uniform float sign_of_y;

void main() {
    result = fetch(x, here) + sign_of_y * fetch(factor, vec2(0.5)).x * fetch(y, here);
}
