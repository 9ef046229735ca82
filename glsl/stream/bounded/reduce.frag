// One pass of a reduction with bounds tests (Bolz et al. 2003, section 3.1.3): as stream/reduce.frag, but
// records outside the data are left out by a comparison, so that nothing need be known of what
// lies there.
//
//   result[i] = x[2i] o x[2i + (1,0)] o x[2i + (0,1)] o x[2i + (1,1)], where within the data
//
//   COMBINE(a, b)   the operator o: a sum, a maximum, ...
//   IDENTITY        what it leaves everything as it is with
//   x               .xyzw  the records, each channel reduced by itself
//   first           .xy    where the data begin in x and i counts from, less half a texel
//   extent          .xy    where they end: columns and rows
//   result          .xyzw  at most four records combined
//
// STRIDED(x): every other record of each row
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
