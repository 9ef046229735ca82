// Sines right to a rounding error. Drivers of browsers owe only 2^-11 (Vulkan), and SwiftShader's are 2^-12 off.
// The angle less the nearest quarter turns, in three parts, then Cephes's polynomials.
float own_sine(float angle, float quarters) {
  float turns = floor(angle * 0.636619772 + 0.5);
  float rest = ((angle - turns * 1.5703125) - turns * 4.83751297e-4) - turns * 7.54978995e-8;
  float square = rest * rest;
  float sine = rest + rest * square *
    (-1.6666654611e-1 + square * (8.3321608736e-3 + square * -1.9515295891e-4));
  float cosine = 1.0 - 0.5 * square + square * square *
    (4.166664568e-2 + square * (-1.388731625e-3 + square * 2.443315712e-5));
  float quarter = mod(turns + quarters, 4.0);
  float size = mod(quarter, 2.0) > 0.5 ? cosine : sine;
  return quarter > 1.5 ? -size : size;
}
vec2 own_sine(vec2 angle, float quarters) {
  return vec2(own_sine(angle.x, quarters), own_sine(angle.y, quarters));
}
vec3 own_sine(vec3 angle, float quarters) {
  return vec3(own_sine(angle.xy, quarters), own_sine(angle.z, quarters));
}
vec4 own_sine(vec4 angle, float quarters) {
  return vec4(own_sine(angle.xy, quarters), own_sine(angle.zw, quarters));
}
#define sin(angle) own_sine(angle, 0.0)
#define cos(angle) own_sine(angle, 1.0)
