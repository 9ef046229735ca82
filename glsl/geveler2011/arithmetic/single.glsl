// Arithmetic of a program in single precision: it uses the high part of each number only (not in Geveler et al. 2011,
// which computes in double precision).
float total;

void start(vec2 number) {
    total = number.x;
}

void add_product(vec2 a, vec2 b) {
    total += a.x * b.x;
}

void scale(vec2 factor) {
    total *= factor.x;
}

// total <- number; total <- total + a * b; total <- total * factor; total as high and low part.
#define START(number) start(number)
#define ADD_PRODUCT(a, b) add_product(a, b)
#define SCALE(factor) scale(factor)
#define TOTAL vec2(total, 0.0)
