// Error-free transformations: a sum or a product of two floats and its rounding error (Dekker
// 1971).
//
// The error of a sum is a difference of differences. It would be zero if floats were real numbers, and a
// compiler that treats them so deletes it. A factor of 1 that the compiler does not know prevents that. This
// needs no extension, and was legal in 2003. A test at start-up checks that it works.
//
//   one   .x   1
uniform float one;

// a + b and its error, if |a| is at least |b|.
vec2 quick_two_sum(float a, float b) {
    float s = (a + b) * one;
    return vec2(s, b - (s - a) * one);
}

// a + b and its error, for any a and b. Knuth's six operations without a comparison do not survive Mesa's compiler:
// if both are products with `one`, it finds the common factor.
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

#define QUICK_TWO_SUM(a, b) quick_two_sum(a, b)
#define TWO_SUM(a, b) two_sum(a, b)
#define TWO_PRODUCT(a, b) two_product(a, b)
