// A copy: the trivial kernel that others are measured against.
//
//   result = x
//
//   x        .xyzw  any records
//   result   .xyzw  the same
uniform stream x;

void main() {
    result = fetch(x, here);
}
