// The arithmetic of a product without its fetches, for timing (Geveler et al. 2011, section 3.2): as many terms
// as ellpack.frag has, all of the same entry and the same x. The entry is fetched by `packed.glsl` or `apart.glsl`,
// and the term added by `single.glsl`, `pairs.glsl` or `native.glsl`.
//
//   ROW_LENGTH   entries per row
//   x            .xy   as for ellpack.frag
//   result       .xy   no meaning
uniform stream x;

void main() {
    vec2 a = ENTRY(here).xy;
    vec2 b = fetch(x, here).xy;
    START(vec2(0.0));
    for (float k = 0.0; k < ROW_LENGTH; k += 1.0) {
        // If all terms were equal, the compiler would compute only one.
        a += vec2(0.001);
        b -= vec2(0.001);
        ADD_PRODUCT(a, b);
    }
    result = vec4(TOTAL, 0.0, 0.0);
}
