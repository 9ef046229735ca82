// Arithmetic of a program in double precision, as everywhere in the paper (Geveler et al. 2011, section 4.1).
// Numbers are stored as sums high + low of two floats, about 48 bits.
//
// EXCEPTION(types): fragment programs got double precision in 2010 (ARB_gpu_shader_fp64), CUDA in 2008
#extension GL_ARB_gpu_shader_fp64 : require
double total;

double widened(vec2 number) {
    return double(number.x) + double(number.y);
}

vec2 parts(double number) {
    float high = float(number);
    return vec2(high, float(number - double(high)));
}

void start(vec2 number) {
    total = widened(number);
}

void add_product(vec2 a, vec2 b) {
    total += widened(a) * widened(b);
}

void scale(vec2 factor) {
    total *= widened(factor);
}

// total <- number; total <- total + a * b; total <- total * factor; total as high and low part.
#define START(number) start(number)
#define ADD_PRODUCT(a, b) add_product(a, b)
#define SCALE(factor) scale(factor)
#define TOTAL parts(total)
