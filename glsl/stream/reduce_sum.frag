// One pass of a sum reduction (Bolz et al. 2003, section 3.1.3): each record of the output is the
// sum of a 2 x 2 block of the input. Records outside the data hold zero, the identity of the sum.
//
//   x         .xyzw  the records, each channel reduced by itself
//   result    .xyzw  the sum of four of them
uniform stream x;

void main() {
    vec2 p = 2.0 * here - vec2(0.5);
    result = fetch(x, p)
           + fetch(x, p + vec2(1.0, 0.0))
           + fetch(x, p + vec2(0.0, 1.0))
           + fetch(x, p + vec2(1.0, 1.0));
}
