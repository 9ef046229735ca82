// Arithmetic of a program in pairs of floats: numbers are unevaluated sums high + low, about 48 bits
// (Dekker 1971; not in Geveler et al. 2011, whose card has double precision). Sums and products of floats are in
// `stream/error_free.glsl`.
//
// While terms are added, the errors accumulate in the low part, and the two parts are normalised once at the
// end (Ogita, Rump and Oishi 2005): as accurate as after each term, with fewer operations.
vec2 total;

// The product of two pairs whose low parts are at most one rounding error of the high parts; that of the
// result is a few rounding errors.
vec2 product(vec2 a, vec2 b) {
    vec2 p = TWO_PRODUCT(a.x, b.x);
    return vec2(p.x, p.y + (a.x * b.y + a.y * b.x));
}

vec2 apart(vec2 number) {
    return TWO_SUM(number.x, number.y);
}

void start(vec2 number) {
    total = number;
}

void add_product(vec2 a, vec2 b) {
    vec2 term = product(a, b);
    vec2 s = TWO_SUM(total.x, term.x);
    total = vec2(s.x, total.y + (s.y + term.y));
}

void scale(vec2 factor) {
    total = product(apart(total), factor);
}

// total <- number; total <- total + a * b; total <- total * factor; total as high and low part.
#define START(number) start(number)
#define ADD_PRODUCT(a, b) add_product(a, b)
#define SCALE(factor) scale(factor)
#define TOTAL apart(total)
