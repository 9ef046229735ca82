// Full weighting to the coarser grid (Bolz et al. 2003, section 4.2, projection).
//
//   v[i] = 1/4 sum over d of S^d fine[2i + d],   S = 1/4 {1, 2, 1, 2, 4, 2, 1, 2, 1}
//
//   fine     .xyzw   a vector of the finer grid; zero outside the domain
//   result   .xyzw   v
//
// STRIDED(fine): every other record of each row
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl
// Cost: 57 instructions, 9 of them fetches, with grid_nodes grid_border
uniform stream fine;

vec4 node(vec2 i) {
    vec2 c = 2.0 * i - 1.5;
    vec2 m = c - 1.0;
    vec2 p = c + 1.0;
    vec4 corners = (fetch(fine, m) + fetch(fine, vec2(p.x, m.y)))
        + (fetch(fine, vec2(m.x, p.y)) + fetch(fine, p));
    vec4 edges = (fetch(fine, vec2(c.x, m.y)) + fetch(fine, vec2(m.x, c.y)))
        + (fetch(fine, vec2(p.x, c.y)) + fetch(fine, vec2(c.x, p.y)));
    return 0.25 * fetch(fine, c) + 0.125 * edges + 0.0625 * corners;
}

void main() {
    result = KEEP(node(AT));
}
