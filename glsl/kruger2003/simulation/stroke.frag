// A stroke: pushes a quantity along a line, with a strength that falls with the distance from it (Krueger and
// Westermann 2003, section 6).
//
//   result = before + amount * (1 - ring d^2 / radius^2) * exp(-d^2 / radius^2)
//
// where d is the distance to the line from a to b.
//
//   before    .xyzw   the quantity
//   origin    .xy     position of the lower left corner of the cells in the texture
//   ring      .x      1 if the amount pushed down comes up again in a ring around the point, else 0
//   amount    .xyzw   the amount added on the line itself
//   result    .xyzw   the quantity after the stroke
//
// a, b, radius, SQUARED: stroke.glsl, in cells from the lower left corner
// Cost: 24 instructions, 1 of them a fetch, with stream/stroke
uniform stream before;
uniform vec2 origin;
uniform float ring;
uniform vec4 amount;

void main() {
    float squared = SQUARED(here - origin);
    result = fetch(before, here) + (1.0 - ring * squared) * exp(-squared) * amount;
}
