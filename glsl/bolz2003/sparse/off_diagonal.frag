// The off-diagonal matrix entries of geometric flow, one edge per fragment (Bolz et al. 2003, section
// 3.1.2). The edge ij has two triangles: (i, jp, j) and (i, j, jn).
//
//   cot(a, b, c) = (a - b) . (c - b) / |(a - b) x (c - b)|      the angle at b
//   A_j[j] = -lambda_dt (cot(x_j, x_jp, x_i) + cot(x_i, x_jn, x_j))
//
// Padding points to the constant zero in x, and its result is zero.
//
//   own               .xy   I: position of x_i in x
//   column_pointer    .xy   C: position of x_j
//   next              .xy   N: position of x_jn
//   previous          .xy   P: position of x_jp
//   x                 .xyz  vertex positions, in units of length
//   zero              .xy   position of the constant zero of x
//   lambda_dt         .x    speed times time step, in units of area
//   result            .x    a_ij, in units of area
//
// RANDOM(x): any position that a column pointer gives
//
// Cost: 33 instructions, 8 of them fetches
uniform stream own;
uniform stream column_pointer;
uniform stream next;
uniform stream previous;
uniform stream x;
uniform vec2 zero;
uniform float lambda_dt;

float cotangent(vec3 a, vec3 b, vec3 c) {
    vec3 u = a - b;
    vec3 v = c - b;
    return dot(u, v) / length(cross(u, v));
}

void main() {
    vec2 j = fetch(column_pointer, here).xy;
    vec3 x_i = fetch(x, fetch(own, here).xy).xyz;
    vec3 x_j = fetch(x, j).xyz;
    vec3 x_jn = fetch(x, fetch(next, here).xy).xyz;
    vec3 x_jp = fetch(x, fetch(previous, here).xy).xyz;
    float a_ij = -lambda_dt * (cotangent(x_j, x_jp, x_i) + cotangent(x_i, x_jn, x_j));
    vec2 offset = j - zero;
    result = vec4(dot(offset, offset) > 0.0 ? a_ij : 0.0);
}
