// A picture in a window: as large as fits, the rest dark.
//
//   result = encode(picture((here - corner) * ratio))
//
// The picture is read between its samples by bilinear interpolation: exactly with one sample per pixel, as the
// mean with two by two. The light of each sample is clamped to 1, so that a bright sample does not outshine its
// edge, and encoded as sRGB (IEC 61966-2-1).
//
//   picture   .xyz   linear light
//   corner    .xy    the picture's lower left corner, in pixels of the window
//   extent    .xy    the picture's columns and rows in the window
//   ratio     .xy    samples per pixel
//   result    .xyz   colour in the window, 0 to 1
//
// Cost: 34 instructions, 4 of them fetches
uniform stream picture;
uniform vec2 corner;
uniform vec2 extent;
uniform vec2 ratio;

const vec3 AROUND = vec3(0.0045);

vec3 light(vec2 p) {
    return clamp(fetch(picture, p).xyz, 0.0, 1.0);
}

vec3 encode(vec3 linear) {
    vec3 low = 12.92 * linear;
    vec3 high = 1.055 * pow(max(linear, vec3(1e-6)), vec3(1.0 / 2.4)) - 0.055;
    return mix(low, high, step(vec3(0.0031308), linear));
}

void main() {
    vec2 place = here - corner;
    vec2 last = extent * ratio - 0.5;
    vec2 p = clamp(place * ratio, vec2(0.5), last);
    vec2 low = floor(p - 0.5) + 0.5;
    vec2 high = min(low + 1.0, last);
    vec2 t = p - low;
    vec3 below = mix(light(low), light(vec2(high.x, low.y)), t.x);
    vec3 above = mix(light(vec2(low.x, high.y)), light(high), t.x);
    vec2 within = step(vec2(0.0), place) * step(place, extent);
    vec3 colour = mix(AROUND, mix(below, above, t.y), within.x * within.y);
    result = vec4(encode(colour), 1.0);
}
