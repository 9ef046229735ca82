// Places a vertex of the liquid's surface. (No section of the paper is about pictures.)
//
//   position      .xyz  in metres
//   normal        .xyz  towards the air
//   to_clip             from space to clip coordinates
//   place         .xyz  position, for the fragment program
//   outward       .xyz  normal, for the fragment program
#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 to_clip;
out vec3 place;
out vec3 outward;

void main() {
    place = position;
    outward = normal;
    gl_Position = to_clip * vec4(position, 1.0);
}
