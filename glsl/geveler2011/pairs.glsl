// Numbers as unevaluated sums high + low of two floats, about 48 bits, as Dekker (1971) has them.
//
// The error of a sum is a difference of differences that would be zero if floats were real numbers,
// and a compiler that thinks so deletes it. A factor that it does not know to be 1 keeps it. That
// needs no extension, and was legal in 2003.
//
//   one   .x   1
uniform float one;

// a + b and its error, where a is the larger one (Dekker).
vec2 quick_two_sum(float a, float b) {
    float s = (a + b) * one;
    return vec2(s, b - (s - a) * one);
}

// The same for any two. Knuth's six operations without a comparison do not survive Mesa's compiler:
// where both are products with `one`, it finds the common factor.
vec2 two_sum(float a, float b) {
    bool is_first = abs(a) > abs(b);
    return quick_two_sum(is_first ? a : b, is_first ? b : a);
}

// a as a sum of two floats of 12 bits (Veltkamp).
vec2 split(float a) {
    float c = 4097.0 * a;
    float high = c - (c - a) * one;
    return vec2(high, a - high);
}

// a * b and its error.
vec2 two_product(float a, float b) {
    float p = (a * b) * one;
    vec2 u = split(a);
    vec2 v = split(b);
    return vec2(p, ((u.x * v.x - p) + u.x * v.y + u.y * v.x) + u.y * v.y);
}

vec2 product(vec2 a, vec2 b) {
    vec2 p = two_product(a.x, b.x);
    p.y += a.x * b.y + a.y * b.x;
    return quick_two_sum(p.x, p.y);
}

vec2 sum(vec2 a, vec2 b) {
    vec2 s = two_sum(a.x, b.x);
    s.y += a.y + b.y;
    return quick_two_sum(s.x, s.y);
}

// sum + entry * x
vec2 plus_product(vec2 before, vec2 entry, vec2 x) {
    return sum(before, product(entry, x));
}

#define PRODUCT(a, b) product(a, b)
#define PLUS_PRODUCT(sum, entry, x) plus_product(sum, entry, x)
