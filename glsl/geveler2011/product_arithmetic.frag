// What a product (Geveler et al. 2011, section 3.2) computes, without what it fetches: as many terms as
// ellpack.frag has, all of one entry and one x. `packed.glsl` or `apart.glsl` fetches the entry;
// `single.glsl`, `pairs.glsl` or `native.glsl` adds the term to what is computed.
//
//   ROW_LENGTH   entries of a row
//   x            .xy   as for ellpack.frag
//   result       .xy   no meaning
uniform stream x;

void main() {
    vec2 a = ENTRY(here).xy;
    vec2 b = fetch(x, here).xy;
    START(vec2(0.0));
    for (float k = 0.0; k < ROW_LENGTH; k += 1.0) {
        // Were terms alike, one would do for all.
        a += vec2(0.001);
        b -= vec2(0.001);
        ADD_PRODUCT(a, b);
    }
    result = vec4(TOTAL, 0.0, 0.0);
}
