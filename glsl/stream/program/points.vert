// The vertex program of points: places each at the centre of a texel of the target, and passes its
// number and its texture coordinate to the fragment.
//
//   position      .xy   centre of a texel
//   number        .x    `value` in the fragment program
//   coordinate    .xy   `at` in the fragment program
//   target_size   .xy   columns and rows of the target
//   target_offset .xy   columns and rows by which all points and coordinates are moved; a point that
//                       leaves its row at one end continues in the next row, as in memory
//   result        .xy   gl_Position; `value` and `at` are passed on
#version 330 core
layout(location = 0) in vec2 position;
layout(location = 1) in float number;
layout(location = 2) in vec2 coordinate;
uniform vec2 target_size;
uniform vec2 target_offset;
out float value;
out vec2 at;

void main() {
    vec2 centre = position + target_offset;
    centre += floor(centre.x / target_size.x) * vec2(-target_size.x, 1.0);
    gl_Position = vec4(2.0 * centre / target_size - 1.0, 0.0, 1.0);
    value = number;
    at = coordinate + target_offset;
}
