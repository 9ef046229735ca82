// A copy: the trivial kernel, against which others are measured.
//
//   result = x
//
//   x        .xyzw  any records
//   result   .xyzw  the same
//
// Cost: 1 instruction, 1 of them a fetch
uniform stream x;

void main() {
    result = fetch(x, here);
}
