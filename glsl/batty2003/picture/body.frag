// Lights a solid or the box's frame by the lamp, the pale room around it and the floor below. (No section of the
// paper is about pictures.)
//
//   place      .xyz   position
//   outward    .xyz   normal
//   colour     .xyz   colour, linear
//   eye        .xyz   position of the camera
//   forward    .xyz   direction of view
//   sun        .xyz   unit vector towards the lamp
//   result     .xyzw  linear light, depth
//
// Cost: 29 instructions, 0 of them fetches
#version 330 core
in vec3 place;
in vec3 outward;
in vec3 colour;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 sun;
out vec4 result;

void main() {
    vec3 n = normalize(outward);
    vec3 to_eye = normalize(eye - place);
    vec3 halfway = normalize(sun + to_eye);
    float key = max(dot(n, sun), 0.0);
    float fill = 0.5 + 0.5 * n.y;
    float gloss = 0.25 * pow(max(dot(n, halfway), 0.0), 60.0);
    float near_floor = 0.75 + 0.25 * smoothstep(0.0, 0.12, place.y);
    vec3 light = near_floor * (vec3(0.16, 0.17, 0.19) + vec3(0.34, 0.37, 0.40) * fill)
               + vec3(0.62, 0.60, 0.56) * key;
    result = vec4(colour * light + gloss, dot(place - eye, forward));
}
