// The right-hand side of a step of geometric flow, one row per fragment: the old positions, as the backward
// difference in time weights them (Bolz et al. 2003, section 3).
//
//   b[i] = 4 A_i x_i,   4 A_i = sum over c < ROW_LENGTH of 4 Area(x_i, x_jp, x_j)
//
//   row_pointer       .xy   R: position of the first entry of row i's segment
//   column_pointer    .xy   C: position of x_j in x, laid out in segments
//   previous          .xy   P: position of x_jp in x, laid out in segments
//   x                 .xyz  vertex positions, in units of length
//   result            .xyz  b_i, in units of volume
//
// RANDOM(x): any position that a column pointer gives
//
// Cost: 67 instructions, 22 of them fetches, with ROW_LENGTH=5
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream previous;
uniform stream x;

void main() {
    vec2 j = fetch(row_pointer, here).xy;
    vec4 x_i = fetch(x, here);
    float areas = 0.0;
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        vec3 x_j = fetch(x, fetch(column_pointer, j).xy).xyz;
        vec3 x_jp = fetch(x, fetch(previous, j).xy).xyz;
        areas += 2.0 * length(cross(x_i.xyz - x_j, x_jp - x_j));
        j.x += 1.0;
    }
    result = areas * x_i;
}
