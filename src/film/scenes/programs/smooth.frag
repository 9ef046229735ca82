// One side of the choice alone: the rectangle that is drawn decides where.
//
//   v = the mean of nine
//
//   u        .x   the numbers
//   result   .x   v
uniform stream u;

void main() {
    vec2 x = vec2(1.0, 0.0);
    vec2 y = vec2(0.0, 1.0);
    vec4 edges = (fetch(u, here - x) + fetch(u, here + x)) + (fetch(u, here - y) + fetch(u, here + y));
    vec4 corners = (fetch(u, here - x - y) + fetch(u, here + x - y)) + (fetch(u, here - x + y) + fetch(u, here + x + y));
    result = 0.11111111 * (fetch(u, here) + (edges + corners));
}
