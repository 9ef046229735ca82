// One pass of a reduction (Bolz et al. 2003, section 3.1.3): each record of the output combines a
// 2 x 2 block of the input. Texels beyond the data must hold the operator's identity.
//
//   result[i] = x[2i] o x[2i + (1,0)] o x[2i + (0,1)] o x[2i + (1,1)]
//
//   COMBINE(a, b)   the operator o: a sum, a maximum, ...
//   x               .xyzw  the records; each channel is reduced by itself
//   first           .xy    the first record of the data, minus half a texel: i counts from there
//   result          .xyzw  four of them combined
//
// STRIDED(x): every other record of each row
//
// Cost: 11 instructions, 4 of them fetches, with COMBINE(a, b)=((a) + (b))
uniform stream x;
uniform vec2 first;

void main() {
    vec2 p = 2.0 * here + first;
    vec4 combined = COMBINE(fetch(x, p), fetch(x, p + vec2(1.0, 0.0)));
    combined = COMBINE(combined, fetch(x, p + vec2(0.0, 1.0)));
    result = COMBINE(combined, fetch(x, p + vec2(1.0, 1.0)));
}
