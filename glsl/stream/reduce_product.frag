// The first pass of an inner product (Bolz et al. 2003, section 3.1.3): reduce.frag on the products
// of two streams, record by record, so that they never have to be stored.
//
//   result[i] = combination of x[j] * y[j] over the 2 x 2 block j of 2i
//
//   COMBINE(a, b)   the operator
//   x               .xyzw  the records; each channel is reduced by itself
//   y               .xyzw  the other records, in the same layout
//   first           .xy    the first record of the data in x and y, minus half a texel: i counts from there
//   result          .xyzw  four products combined
//
// STRIDED(x, y): every other record of each row
//
// Cost: 17 instructions, 8 of them fetches, with COMBINE(a, b)=((a) + (b))
uniform stream x;
uniform stream y;
uniform vec2 first;

void main() {
    vec2 p = 2.0 * here + first;
    vec2 right = p + vec2(1.0, 0.0);
    vec2 above = p + vec2(0.0, 1.0);
    vec2 across = p + 1.0;
    vec4 combined = COMBINE(fetch(x, p) * fetch(y, p), fetch(x, right) * fetch(y, right));
    combined = COMBINE(combined, fetch(x, above) * fetch(y, above));
    result = COMBINE(combined, fetch(x, across) * fetch(y, across));
}
