// The first pass of an inner product with bounds tests (Bolz et al. 2003, section 3.1.3): as
// stream/reduce_product.frag, but a comparison leaves out records outside the data.
//
//   result[i] = combination of x[j] * y[j] over the 2 x 2 block j of 2i, as far as it is in the data
//
//   COMBINE(a, b)   the operator
//   IDENTITY        the operator's identity element: 0 for a sum
//   x               .xyzw  the records; each channel is reduced by itself
//   y               .xyzw  the other records, in the same layout
//   first           .xy    the first record of the data in x and y, minus half a texel: i counts from there
//   extent          .xy    the end of the data: columns and rows
//   result          .xyzw  at most four products combined
//
// STRIDED(x, y): every other record of each row
//
// Cost: 23 instructions, 8 of them fetches, with COMBINE(a, b)=min(a, b), IDENTITY=1e30
uniform stream x;
uniform stream y;
uniform vec2 first;
uniform vec2 extent;

void main() {
    vec2 p = 2.0 * here + first;
    vec2 q = p + 1.0;
    vec2 beyond = q - extent;
    vec2 beside = vec2(q.x, p.y);
    vec2 over = vec2(p.x, q.y);
    vec4 none = vec4(IDENTITY);
    vec4 right = beyond.x < 0.0 ? fetch(x, beside) * fetch(y, beside) : none;
    vec4 above = beyond.y < 0.0 ? fetch(x, over) * fetch(y, over) : none;
    vec4 across = max(beyond.x, beyond.y) < 0.0 ? fetch(x, q) * fetch(y, q) : none;
    result = COMBINE(COMBINE(COMBINE(fetch(x, p) * fetch(y, p), right), above), across);
}
