// A choice in the program: each fragment computes both sides, and a comparison keeps one of them (predication).
//
//   v = the mean of nine where kind is 1, else u
//
//   u        .x   the numbers
//   kind     .x   1 where they are smoothed, else 0
//   result   .x   v
uniform stream u;
uniform stream kind;

void main() {
    vec2 x = vec2(1.0, 0.0);
    vec2 y = vec2(0.0, 1.0);
    vec4 old = fetch(u, here);
    vec4 edges = (fetch(u, here - x) + fetch(u, here + x)) + (fetch(u, here - y) + fetch(u, here + y));
    vec4 corners = (fetch(u, here - x - y) + fetch(u, here + x - y)) + (fetch(u, here - x + y) + fetch(u, here + x + y));
    vec4 mean = 0.11111111 * (old + (edges + corners));
    result = fetch(kind, here).x > 0.5 ? mean : old;
}
