// Numbers in single precision: the high part of what is stored.

// sum + entry * x
vec2 plus_product(vec2 sum, vec2 entry, vec2 x) {
    return vec2(sum.x + entry.x * x.x, 0.0);
}

#define PLUS_PRODUCT(sum, entry, x) plus_product(sum, entry, x)
