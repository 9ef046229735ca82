// One of the nine entries of the coarser grid's stencils, A_2h = P A_h S (Bolz et al. 2003, section
// 4.2, composition of stencils).
//
//   A_2h^d[i] = 1/4 sum over e, g in {-1,0,1}^2 of S^e S^(e + g - 2d) A_h^g[2i + e]
//
// S is a stream of 9 x 9 records with S^0 in the middle, surrounded by zeros, so that an entry outside the stencil
// reads as zero.
//
//   weights   .x      S
//   d         .xy     the entry's offset
//   result    .xyzw   A_2h^d
//
// a_mm ... a_pp: stencil_entries.glsl
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 353 instructions, 171 of them fetches, with stencil_entries grid_inner
uniform stream weights;
uniform vec2 d;

vec4 node(vec2 i) {
    vec4 sum = vec4(0.0);
    for (float y = -1.0; y < 1.5; y += 1.0) {
        for (float x = -1.0; x < 1.5; x += 1.0) {
            vec2 e = vec2(x, y);
            vec2 f = 2.0 * i - 1.5 + e;
            vec2 s = 4.5 + e - 2.0 * d;
            vec2 m = s - 1.0;
            vec2 p = s + 1.0;
            vec4 row = fetch(weights, m).x * fetch(a_mm, f);
            row += fetch(weights, vec2(s.x, m.y)).x * fetch(a_0m, f);
            row += fetch(weights, vec2(p.x, m.y)).x * fetch(a_pm, f);
            row += fetch(weights, vec2(m.x, s.y)).x * fetch(a_m0, f);
            row += fetch(weights, s).x * fetch(a_00, f);
            row += fetch(weights, vec2(p.x, s.y)).x * fetch(a_p0, f);
            row += fetch(weights, vec2(m.x, p.y)).x * fetch(a_mp, f);
            row += fetch(weights, vec2(s.x, p.y)).x * fetch(a_0p, f);
            row += fetch(weights, p).x * fetch(a_pp, f);
            sum += fetch(weights, 4.5 + e).x * row;
        }
    }
    return 0.25 * sum;
}

void main() {
    result = KEEP(node(AT));
}
