// The residual of the finest level after a correction, in pairs of floats, about 48 bits (not in Bolz et al. 2003, whose
// section 4.2 computes it in single precision). The stencil is that of `constant_five_point.glsl`, and there is one node
// per texel, without a ring.
//
//   result[i] = r[i] - sum over d of A^d correction[i + d]
//
// The difference of two neighbours and its rounding error are exact, and so are halves of them. Rounding errors of the
// sum accumulate in its low part (Ogita, Rump and Oishi 2005). Nodes with prescribed values hold no residual.
//
//   r            .xy     high and low part of the residual
//   correction   .x      the correction; zero at prescribed values
//   ends         .xyzw   as in grid_nodes.glsl
//   period       .xy     number of cells along the axes that are periodic, else 0
//   reaction     .xy     high and low part of the sum of an inner stencil
//   result       .xy     high and low part of the new residual
//
// TWO_SUM, TWO_PRODUCT: error_free.glsl
// Cost: 146 instructions, 6 of them fetches, with stream/error_free
uniform stream r;
uniform stream correction;
uniform vec4 ends;
uniform vec2 period;
uniform vec2 reaction;

vec2 plus(vec2 total, vec2 term) {
    vec2 s = TWO_SUM(total.x, term.x);
    return vec2(s.x, total.y + (s.y + term.y));
}

void main() {
    vec2 node = here - 0.5;
    vec2 lower = step(ends.xz + 0.5, node);
    vec2 upper = step(node, ends.yw - 0.5);
    vec2 size = 0.5 * (lower + upper);
    // Indices are modulo N if an axis is periodic.
    vec2 m = here - 1.0 + step(node, vec2(0.5)) * period;
    vec2 p = here + 1.0 - step(period - 0.5, node) * period;
    float own = fetch(correction, here).x;
    vec2 west = TWO_SUM(fetch(correction, vec2(m.x, here.y)).x, -own);
    vec2 east = TWO_SUM(fetch(correction, vec2(p.x, here.y)).x, -own);
    vec2 south = TWO_SUM(fetch(correction, vec2(here.x, m.y)).x, -own);
    vec2 north = TWO_SUM(fetch(correction, vec2(here.x, p.y)).x, -own);
    vec2 leak = TWO_PRODUCT(reaction.x, own);
    vec2 total = plus(fetch(r, here).xy, lower.x * size.y * west);
    total = plus(total, upper.x * size.y * east);
    total = plus(total, lower.y * size.x * south);
    total = plus(total, upper.y * size.x * north);
    total = plus(total, -size.x * size.y * vec2(leak.x, leak.y + reaction.y * own));
    result = vec4(TWO_SUM(total.x, total.y), 0.0, 0.0);
}
