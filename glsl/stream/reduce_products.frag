// The first pass of four inner products at once, those that an iteration of conjugate gradients needs; as
// bounded/reduce_product.frag, but that a record outside the data is multiplied by zero.
//
//   result[i] = sum over the 2 x 2 block j of 2i of (r[j]r[j], p[j]q[j], r[j]q[j], q[j]q[j])
//
//   PRODUCT(a, b)   the inner product of two records, of the channels that hold entries
//   r               .xyzw  entries of a vector: one a record, or four
//   p               .xyzw  another's, laid out alike
//   q               .xyzw  a third one's
//   first           .xy    where the data begin in them and i counts from, less half a texel
//   extent          .xy    where they end: columns and rows
//   result          .xyzw  at most four terms of each sum
//
// STRIDED(r, p, q): every other record of each row
uniform stream r;
uniform stream p;
uniform stream q;
uniform vec2 first;
uniform vec2 extent;

vec4 products(vec2 place) {
    vec4 a = fetch(r, place);
    vec4 b = fetch(p, place);
    vec4 c = fetch(q, place);
    vec2 inside = step(place, extent);
    return inside.x * inside.y * vec4(PRODUCT(a, a), PRODUCT(b, c), PRODUCT(a, c), PRODUCT(c, c));
}

void main() {
    vec2 place = 2.0 * here + first;
    vec4 lower = products(place) + products(place + vec2(1.0, 0.0));
    result = lower + products(place + vec2(0.0, 1.0)) + products(place + 1.0);
}
