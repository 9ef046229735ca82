// A texture as it lies in memory: a texel a block, its first three channels as red, green and blue.
// Zero is half as bright as the brightest, as the eye sees it.
//
//   stored     .xyzw  any records
//   texels     .xy    texels a sample of the picture
//   most       .x     the amount that is darkest or brightest
//   grey       .x     1 where a texel has one channel only, 0 where more
//   lines      .x     how dark the lines between texels are: 0 none, 1 black
//   result     .xyz   linear light
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
