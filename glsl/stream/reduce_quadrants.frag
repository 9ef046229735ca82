// One pass of a reduction by quadrants (Batty, Wiebe, Houston 2003, Appendix C, section 6, before it was
// given up): each record of the output combines the corresponding records of four quadrants, half the input
// away from each other. Texels beyond the data must hold the operator's identity.
//
//   result[i] = x[i] o x[i + (w,0)] o x[i + (0,h)] o x[i + (w,h)]
//
//   COMBINE(a, b)   the operator o: a sum, a maximum, ...
//   x               .xyzw  the records; each channel is reduced by itself
//   quadrant        .xy    w and h: half the columns and rows of the data, rounded up
//   result          .xyzw  four of them combined
//
// Cost: 14 instructions, 4 of them fetches, with COMBINE(a, b)=((a) + (b))
uniform stream x;
uniform vec2 quadrant;

void main() {
    vec4 combined = COMBINE(fetch(x, here), fetch(x, here + vec2(quadrant.x, 0.0)));
    combined = COMBINE(combined, fetch(x, here + vec2(0.0, quadrant.y)));
    result = COMBINE(combined, fetch(x, here + quadrant));
}
