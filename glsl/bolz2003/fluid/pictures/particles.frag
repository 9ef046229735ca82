// The colour of a particle, drawn as a point (Bolz et al. 2003, section 4.1, Fig. 5): bright when it is
// young.
//
//   value    .x     youth: 1 when just born, towards 0 when old
//   old      .xyz   the colour of an old particle, linear light
//   young    .xyz   the colour of a new particle
//   result   .xyzw  the colour, opaque
//
// Cost: 3 instructions, 0 of them fetches
uniform vec3 old;
uniform vec3 young;
in float value;

void main() {
    result = vec4(mix(old, young, value), 1.0);
}
