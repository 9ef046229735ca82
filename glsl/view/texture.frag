// A texture as it is in memory: one block per texel, its first three channels as red, green and blue.
// Zero appears half as bright as the brightest value.
//
//   stored     .xyzw  any records
//   texels     .xy    texels per sample of the picture
//   most       .x     magnitude of the darkest and of the brightest value
//   grey       .x     1 if a texel has one channel only, else 0
//   lines      .x     darkness of the lines between texels: 0 none, 1 black
//   result     .xyz   linear light
//
// Cost: 18 instructions, 1 of them a fetch
uniform stream stored;
uniform vec2 texels;
uniform float most;
uniform float grey;
uniform float lines;

void main() {
    vec2 p = here * texels;
    vec4 value = fetch(stored, floor(p) + 0.5);
    vec3 channels = mix(value.xyz, value.xxx, grey);
    vec3 share = clamp(0.5 + 0.5 * channels / most, 0.0, 1.0);
    vec2 edge = step(fract(p), texels);
    float line = lines * max(edge.x, edge.y);
    result = vec4((1.0 - line) * pow(share, vec3(2.2)), 1.0);
}
