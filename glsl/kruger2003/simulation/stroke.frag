// A stroke: pushes a quantity along a line, with a strength that falls with the distance from it (Krueger and
// Westermann 2003, section 6).
//
//   result = before + amount * (1 - ring d^2 / radius^2) * exp(-d^2 / radius^2)
//
// where d is the distance to the line from a to b.
//
//   before    .xyzw   the quantity
//   a         .xy     one end of the stroke, in cells from the lower left corner
//   b         .xy     the other end; may be equal to a
//   origin    .xy     position of that corner in the texture
//   radius    .x      radius, in cells
//   ring      .x      1 if the amount pushed down comes up again in a ring around the point, else 0
//   amount    .xyzw   the amount added on the line itself
//   result    .xyzw   the quantity after the stroke
//
// Cost: 24 instructions, 1 of them a fetch
uniform stream before;
uniform vec2 a;
uniform vec2 b;
uniform vec2 origin;
uniform float radius;
uniform float ring;
uniform vec4 amount;

void main() {
    vec2 along = b - a;
    vec2 from_a = here - origin - a;
    float share = clamp(dot(from_a, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    vec2 away = from_a - share * along;
    float squared = dot(away, away) / (radius * radius);
    result = fetch(before, here) + (1.0 - ring * squared) * exp(-squared) * amount;
}
