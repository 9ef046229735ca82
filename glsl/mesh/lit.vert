// Places a vertex of a mesh for its picture.
//
//   position      .xyz  from the centre of the picture, in units of its radius
//   to_clip             from these to clip coordinates
//   from_centre   .xyz  position, for the lighting
#version 330 core
layout(location = 0) in vec3 position;
uniform mat4 to_clip;
out vec3 from_centre;

void main() {
    from_centre = position;
    gl_Position = to_clip * vec4(position, 1.0);
}
