// The colour of a particle in its picture (Bolz et al. 2003, section 4.1, Fig. 5): bright when it
// is young.
//
//   youth    .x     from 0 to 1
//   old      .xyz   the colour of an old particle, linear light
//   young    .xyz   the colour of one just born
//   result   .xyzw  the colour, opaque
#version 330 core
in float youth;
uniform vec3 old;
uniform vec3 young;
out vec4 result;

void main() {
    result = vec4(mix(old, young, youth), 1.0);
}
