// A stroke: something is pushed along a line, less and less away from it.
//
//   result = before + amount * exp(-d^2 / radius^2), d the distance to the line from a to b
//
//   before    .xyzw   what is pushed
//   a         .xy     one end of the stroke, in cells from the lower left corner
//   b         .xy     the other end; may be the same
//   origin    .xy     where that corner lies in the texture
//   radius    .x      in cells
//   amount    .xyzw   what is added on the line itself
//   result    .xyzw   the same, pushed
uniform stream before;
uniform vec2 a;
uniform vec2 b;
uniform vec2 origin;
uniform float radius;
uniform vec4 amount;

void main() {
    vec2 along = b - a;
    vec2 from_a = here - origin - a;
    float share = clamp(dot(from_a, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
    vec2 away = from_a - share * along;
    result = fetch(before, here) + exp(-dot(away, away) / (radius * radius)) * amount;
}
