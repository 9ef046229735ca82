// Four vectors added to a fifth, each times a factor.
//
//   result = y + f_1 a + f_2 b + f_3 c + f_4 d
//
//   y         .xyzw  entries of a vector: one a record, or four
//   a         .xyzw  another's, laid out alike
//   b         .xyzw  likewise
//   c         .xyzw  likewise
//   d         .xyzw  likewise
//   factors   .xyzw  f_1 to f_4
//   result    .xyzw  the entries of the sum
uniform stream y;
uniform stream a;
uniform stream b;
uniform stream c;
uniform stream d;
uniform vec4 factors;

void main() {
    vec4 sum = factors.x * fetch(a, here) + factors.y * fetch(b, here);
    result = fetch(y, here) + sum + factors.z * fetch(c, here) + factors.w * fetch(d, here);
}
