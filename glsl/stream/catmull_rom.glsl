// Prepended to programs that interpolate smoothly: the cubic through four equidistant values whose slopes are central
// differences (Catmull and Rom 1974).
//
//   CATMULL_ROM(a, b, c, d, t)   the value at t between b and c
vec4 catmull_rom(vec4 a, vec4 b, vec4 c, vec4 d, float t) {
    vec4 slope = 0.5 * (c - a);
    vec4 bend = a - 2.5 * b + 2.0 * c - 0.5 * d;
    vec4 twist = 0.5 * (d - a) + 1.5 * (b - c);
    return b + t * (slope + t * (bend + t * twist));
}
#define CATMULL_ROM(a, b, c, d, t) catmull_rom(a, b, c, d, t)
