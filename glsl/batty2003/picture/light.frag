// The brightness of the light that lands on the floor: it grows with the focusing by the surface, and falls with
// absorption in the liquid. (Caustics. No section of the paper is about pictures.)
//
//   straight   .xy    texel in which the light would have landed without the surface
//   way        .x     length of its path in the liquid
//   strength   .xyzw  a triangle's contribution: light in three colours, and the share of the sky that it hides
//   absorbed   .xyz   share absorbed per metre, for three colours
//   result     .xyzw  the contribution
//
// Cost: 15 instructions, 0 of them fetches
#version 330 core
in vec2 straight;
in float way;
uniform vec4 strength;
uniform vec3 absorbed;
out vec4 result;

void main() {
    vec2 across = dFdx(straight);
    vec2 along = dFdy(straight);
    float bundled = min(abs(across.x * along.y - across.y * along.x), 12.0);
    result = vec4(exp(-way * absorbed), 1.0) * strength * bundled;
}
