// Prepended to programs that read between texels: interpolates the sixteen texels around a point by the cubics of
// stream/catmull_rom.glsl, clamped to the smallest and the largest of the middle four (not in Krueger and Westermann
// 2003).
//
//   INTERPOLATE(s, p)   stream s at p
//
// EXCEPTION(limits): sixteen fetches and their weights per point; fragstream's, as the paper interpolates linearly
vec4 row(stream s, vec2 p, float t) {
    return CATMULL_ROM(fetch(s, p + vec2(-1.0, 0.0)), fetch(s, p), fetch(s, p + vec2(1.0, 0.0)),
                       fetch(s, p + vec2(2.0, 0.0)), t);
}

vec4 cubic(stream s, vec2 p) {
    vec2 low = floor(p - 0.5) + 0.5;
    vec2 t = p - low;
    vec4 value = CATMULL_ROM(row(s, low - vec2(0.0, 1.0), t.x), row(s, low, t.x),
                             row(s, low + vec2(0.0, 1.0), t.x), row(s, low + vec2(0.0, 2.0), t.x), t.y);
    vec4 a = fetch(s, low);
    vec4 b = fetch(s, low + vec2(1.0, 0.0));
    vec4 c = fetch(s, low + vec2(0.0, 1.0));
    vec4 d = fetch(s, low + 1.0);
    return clamp(value, min(min(a, b), min(c, d)), max(max(a, b), max(c, d)));
}
#define INTERPOLATE(s, p) cubic(s, p)
