// A known answer: twice the record at the opposite end of the stream.
//
//   result = 2 * x[size - here]
//
//   x        .xyzw  any records
//   size     .xy    columns and rows of x
//   result   .xyzw  twice that record
//
// Cost: 3 instructions, 1 of them a fetch
uniform stream x;
uniform vec2 size;

void main() {
    result = 2.0 * fetch(x, size - here);
}
