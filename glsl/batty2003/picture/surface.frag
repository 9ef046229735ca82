// The normal and the depth of the liquid's surface, for refraction and reflection later. (No section of the paper is
// about pictures.)
//
//   place      .xyz   position
//   outward    .xyz   normal, towards the air
//   eye        .xyz   position of the camera
//   forward    .xyz   direction of view
//   result     .xyzw  unit normal, depth
//
// Cost: 5 instructions, 0 of them fetches
#version 330 core
in vec3 place;
in vec3 outward;
uniform vec3 eye;
uniform vec3 forward;
out vec4 result;

void main() {
    result = vec4(normalize(outward), dot(place - eye, forward));
}
