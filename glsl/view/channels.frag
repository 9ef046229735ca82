// A texture as it is in memory, its channels side by side, two in a row, the first one below on the left.
//
//   result = colours(127 + 127 value / most)
//
//   stored     .xyzw  any records
//   colours    .xyz   255 colours, encoded as sRGB, from the lowest value to the highest
//   corner     .xy    lower left corner of the picture
//   texels     .xy    texels per pixel
//   size       .xy    columns and rows of the texture
//   most       .x     value of the last colour
//   result     .xyz   colour, 0 to 1; magenta for a value that is not finite
//
// Cost: 21 instructions, 2 of them fetches
uniform stream stored;
uniform stream colours;
uniform vec2 corner;
uniform vec2 texels;
uniform vec2 size;
uniform float most;

void main() {
    vec2 p = floor((here - corner) * texels);
    vec2 channel = step(size, p);
    vec4 x = fetch(stored, p - channel * size + 0.5);
    vec2 row = channel.y > 0.0 ? x.zw : x.xy;
    float value = channel.x > 0.0 ? row.y : row.x;
    float share = clamp(value / most, -1.0, 1.0);
    vec4 colour = fetch(colours, vec2(floor(127.0 * share + 0.5) + 127.5, 0.5));
    result = abs(value) < 3e38 ? colour : vec4(1.0, 0.0, 1.0, 1.0);
}
