// What a program computes, in pairs of floats: numbers as unevaluated sums high + low, about 48 bits
// (Dekker 1971). `stream/error_free.glsl` holds sums and products of floats.
//
// While terms are added, errors are gathered in the low part, and the two are brought apart once at the
// end (Ogita, Rump and Oishi 2005): as accurate as if it were done for each term, for fewer operations.
vec2 total;

// Of pairs whose low part is at most a rounding of the high one; that of the product is a few.
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

// total <- number; total + a * b; total * factor; and its high and low part.
#define START(number) start(number)
#define ADD_PRODUCT(a, b) add_product(a, b)
#define SCALE(factor) scale(factor)
#define TOTAL apart(total)
