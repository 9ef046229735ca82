// Fills the padding of a vector with the identity of the reduction that follows: vectors are padded with
// zeros, and zero is not every operator's identity (Krueger and Westermann 2003, section 3.3).
//
//   result[i] = SOURCE;   IDENTITY in the padding
//
//   SOURCE     the records to reduce: those of x, or of x times y
//   IDENTITY   the operator's identity element: 1 for a product
//   CHANNELS   entries per record, 1.0 or 4.0
//   x          .xyzw  entries of a vector
//   y          .xyzw  entries of another vector, in the same layout
//   end        .xy    the first entry of the padding: its position in its row, in entries, and its row.
//                     All padding is in this row, the last
//   result     .xyzw  the entries
//
// Cost: 10 instructions, 2 of them fetches, with CHANNELS=4, IDENTITY=1, SOURCE=fetch(x, here) * fetch(y, here)
uniform stream x;
uniform stream y;
uniform vec2 end;

void main() {
    vec4 place = CHANNELS * (here.x - 0.5) + vec4(0.0, 1.0, 2.0, 3.0);
    vec4 beyond = step(end.y, here.y) * step(end.xxxx, place);
    result = mix(SOURCE, vec4(IDENTITY), beyond);
}
