// Prepended to programs that read between texels: interpolates the four texels around a point bilinearly (Krueger and
// Westermann 2003, section 6), as in Stam's semi-Lagrangian advection (1999). It smooths the quantity a little in every step.
//
//   INTERPOLATE(s, p)   stream s at p
vec4 linear(stream s, vec2 p) {
    vec2 low = floor(p - 0.5) + 0.5;
    vec2 t = p - low;
    vec4 below = mix(fetch(s, low), fetch(s, low + vec2(1.0, 0.0)), t.x);
    vec4 above = mix(fetch(s, low + vec2(0.0, 1.0)), fetch(s, low + 1.0), t.x);
    return mix(below, above, t.y);
}
#define INTERPOLATE(s, p) linear(s, p)
