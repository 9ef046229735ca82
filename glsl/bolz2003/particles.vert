// Places a particle in its picture (Bolz et al. 2003, section 4.1, Fig. 5). Its place was read back
// from the stream of the particles: a vertex program of 2003 could not fetch.
//
//   particle      .xyz  place (column, row, from 0.5) and age
//   to_clip       .xy   scale from grid spaces to clip coordinates
//   youth         .x    out: 0 when old, towards 1 when just born
#version 330 core
layout(location = 0) in vec3 particle;
uniform vec2 to_clip;
out float youth;

void main() {
    youth = exp2(-0.01 * particle.z);
    gl_Position = vec4((particle.xy - 0.5) * to_clip - 1.0, 0.0, 1.0);
}
