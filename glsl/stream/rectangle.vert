// The vertex program of every pass: places a rectangle's corner, given in texels of the target.
//
//   corner        .xy   column and row
//   target_size   .xy   columns and rows of the target
#version 330 core
layout(location = 0) in vec2 corner;
uniform vec2 target_size;

void main() {
    gl_Position = vec4(2.0 * corner / target_size - 1.0, 0.0, 1.0);
}
