// What a matrix-vector product can at best take: the fetches of spmv.frag, as many from each
// stream, but at positions that are known beforehand and next to each other.
//
//   result[i] = diagonal[i] x[i] + sum over c < ROW_LENGTH of offdiagonal[i + c] x[i + c], with the
//   pointers fetched as well, and scaled away
//
//   diagonal          .x    as for spmv.frag
//   offdiagonal       .x    as for spmv.frag
//   row_pointer       .xy   as for spmv.frag
//   column_pointer    .xy   as for spmv.frag
//   x                 .xyzw as for spmv.frag
//   result            .xyzw no meaning
uniform stream diagonal;
uniform stream offdiagonal;
uniform stream row_pointer;
uniform stream column_pointer;
uniform stream x;

void main() {
    vec2 j = here;
    vec2 pointers = fetch(row_pointer, here).xy;
    vec4 sum = fetch(diagonal, here).x * fetch(x, here);
    for (float c = 0.0; c < ROW_LENGTH; c += 1.0) {
        sum += fetch(offdiagonal, j).x * fetch(x, j);
        pointers += fetch(column_pointer, j).xy;
        j.x += 1.0;
    }
    result = sum + 1e-30 * pointers.xyxy;
}
