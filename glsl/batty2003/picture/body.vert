// Places a vertex of a solid, of the box's frame or of the liquid's surface. (No section of the paper is about
// pictures.)
//
//   position      .xyz  in metres
//   normal        .xyz  outward; towards the air
//   albedo        .xyz  colour, linear; the surface has none
//   to_clip             from space to clip coordinates
//   place, outward, colour   position, normal and colour, for the fragment program
#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo;
uniform mat4 to_clip;
out vec3 place;
out vec3 outward;
out vec3 colour;

void main() {
    place = position;
    outward = normal;
    colour = albedo;
    gl_Position = to_clip * vec4(position, 1.0);
}
