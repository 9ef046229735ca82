// The attenuation of gradients down to a level of the pyramid (Fattal et al. 2002, section 4): that
// of the coarser level, interpolated, times that of this level. Gradients of magnitude alpha stay,
// larger ones shrink, smaller ones grow.
//
//   result = phi interpolated(coarser),   phi = alpha/g (g/alpha)^beta = (g/alpha)^(beta-1)
//
//   gradient  .x   the magnitude g on this level
//   coarser   .x   the attenuation on the next coarser level: its sample i stands at 2i of this one
//   last      .xy  its last column and row
//   shrink    .x   1/2; 0 on the coarsest level, where coarser is the single record 1
//   alpha     .x   the magnitude that stays
//   exponent  .x   beta - 1
//   least     .x   smaller magnitudes than this are taken for it
//   result    .x   the attenuation
uniform stream gradient;
uniform stream coarser;
uniform vec2 last;
uniform float shrink;
uniform float alpha;
uniform float exponent;
uniform float least;

float at(float column, float row) {
    return fetch(coarser, vec2(column, row) + 0.5).x;
}

void main() {
    vec2 place = shrink * (here - 0.5);
    vec2 low = floor(place);
    vec2 high = min(low + 1.0, last);
    vec2 t = place - low;
    float above = mix(at(low.x, low.y), at(high.x, low.y), t.x);
    float below = mix(at(low.x, high.y), at(high.x, high.y), t.x);
    float g = max(fetch(gradient, here).x, least);
    result = vec4(mix(above, below, t.y) * pow(g / alpha, exponent), 0.0, 0.0, 0.0);
}
