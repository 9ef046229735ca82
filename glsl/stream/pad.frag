// Before a reduction whose neutral element is not the zero that vectors are padded with: puts the
// neutral element into the padding (Krueger and Westermann 2003, section 3.3).
//
//   result[i] = SOURCE, or IDENTITY where i lies behind the last entry
//
//   SOURCE     what is reduced: the records of x, or of x times those of y
//   IDENTITY   what the operator leaves everything as it is with
//   CHANNELS   entries in a record, 1.0 or 4.0
//   x          .xyzw  entries of a vector
//   y          .xyzw  another's, laid out alike
//   end        .xy    the first entry of the padding: place in its row, in entries; its row. All
//                     padding lies in this row, which is the last
//   result     .xyzw  the entries
uniform stream x;
uniform stream y;
uniform vec2 end;

void main() {
    vec4 place = CHANNELS * (here.x - 0.5) + vec4(0.0, 1.0, 2.0, 3.0);
    vec4 beyond = step(end.y, here.y) * step(end.xxxx, place);
    result = mix(SOURCE, vec4(IDENTITY), beyond);
}
