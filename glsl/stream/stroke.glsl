// Prepended to programs that push a quantity along a line from a to b, with a strength that falls with the distance
// from it.
//
//   a           .xy   one end of the line
//   b           .xy   the other end; may be equal to a
//   radius      .x    distance at which the strength has fallen to 1/e
//   SQUARED(p)  d^2 / radius^2, where d is the distance from p to the line
uniform vec2 a;
uniform vec2 b;
uniform float radius;

float squared_distance(vec2 p) {
    vec2 along = b - a;
    vec2 from_a = p - a;
    float share = clamp(dot(from_a, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    vec2 away = from_a - share * along;
    return dot(away, away) / (radius * radius);
}
#define SQUARED(p) squared_distance(p)
