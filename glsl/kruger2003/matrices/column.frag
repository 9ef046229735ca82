// Multiplies one column of a dense matrix by its entry of the vector (Krueger and Westermann 2003, section 3.2).
//
//   result[i] = before[i] + column[i] * x[c]
//
//   CONTINUED   defined if there is a sum from an earlier pass
//   column      .xyzw  the c-th column, laid out like x
//   x           .xyzw  the vector: one entry per record, or four consecutive ones
//   before      .xyzw  the sum so far
//   entry       .xy    the record of x[c]
//   channel     .xyzw  1 in the channel of x[c], else 0
//   result      .xyzw  the sum
//
// Cost: 5 instructions, 3 of them fetches, with CONTINUED=1
uniform stream column;
uniform stream x;
uniform stream before;
uniform vec2 entry;
uniform vec4 channel;

void main() {
    vec4 sum = fetch(column, here) * dot(fetch(x, entry), channel);
#ifdef CONTINUED
    sum += fetch(before, here);
#endif
    result = sum;
}
