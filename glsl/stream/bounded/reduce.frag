// One pass of a reduction with bounds tests (Bolz et al. 2003, section 3.1.3): as stream/reduce.frag, but
// a comparison leaves out records outside the data, so that texels there may hold anything.
//
//   result[i] = x[2i] o x[2i + (1,0)] o x[2i + (0,1)] o x[2i + (1,1)], as far as they are in the data
//
//   COMBINE(a, b)   the operator o: a sum, a maximum, ...
//   IDENTITY        the operator's identity element: 0 for a sum
//   x               .xyzw  the records; each channel is reduced by itself
//   first           .xy    the first record of the data, minus half a texel: i counts from there
//   extent          .xy    the end of the data: columns and rows
//   result          .xyzw  at most four records combined
//
// STRIDED(x): every other record of each row
//
// Cost: 15 instructions, 4 of them fetches, with COMBINE(a, b)=max(a, b), IDENTITY=-1e30
uniform stream x;
uniform vec2 first;
uniform vec2 extent;

void main() {
    vec2 p = 2.0 * here + first;
    vec2 q = p + 1.0;
    vec2 beyond = q - extent;
    vec4 none = vec4(IDENTITY);
    vec4 right = beyond.x < 0.0 ? fetch(x, vec2(q.x, p.y)) : none;
    vec4 above = beyond.y < 0.0 ? fetch(x, vec2(p.x, q.y)) : none;
    vec4 across = max(beyond.x, beyond.y) < 0.0 ? fetch(x, q) : none;
    result = COMBINE(COMBINE(COMBINE(fetch(x, p), right), above), across);
}
