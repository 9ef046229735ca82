// How bright the light makes the floor that lands there: as much brighter as it is bundled, less
// what the liquid absorbs on its way. (Caustics. No section of the paper is about pictures.)
//
//   straight   .xy    texel in which the light would have landed without the surface
//   way        .x     how far it went
//   strength   .xyzw  what a triangle adds, light in three colours and how much of the sky it hides
//   absorbed   .xyz   share a metre that is absorbed, of three colours
//   result     .xyzw  what is added there
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
