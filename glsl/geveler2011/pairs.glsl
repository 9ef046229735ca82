// What a program computes, in pairs of floats: numbers as unevaluated sums high + low, about 48 bits
// (Dekker 1971). `stream/error_free.glsl` holds sums and products of floats.
vec2 total;

vec2 product(vec2 a, vec2 b) {
    vec2 p = TWO_PRODUCT(a.x, b.x);
    p.y += a.x * b.y + a.y * b.x;
    return QUICK_TWO_SUM(p.x, p.y);
}

vec2 sum(vec2 a, vec2 b) {
    vec2 s = TWO_SUM(a.x, b.x);
    s.y += a.y + b.y;
    return QUICK_TWO_SUM(s.x, s.y);
}

void start(vec2 number) {
    total = number;
}

void add_product(vec2 a, vec2 b) {
    total = sum(total, product(a, b));
}

void scale(vec2 factor) {
    total = product(total, factor);
}

// total <- number; total + a * b; total * factor; and its high and low part.
#define START(number) start(number)
#define ADD_PRODUCT(a, b) add_product(a, b)
#define SCALE(factor) scale(factor)
#define TOTAL total
