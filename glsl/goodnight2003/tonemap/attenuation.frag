// The attenuation of gradients, accumulated down to this level of the pyramid (Fattal et al. 2002, section 4): the
// interpolated attenuation of the coarser level times that of this level. Gradients of magnitude alpha are
// unchanged, larger ones shrink, and smaller ones grow.
//
//   result = phi interpolated(coarser),   phi = alpha/g (g/alpha)^beta = (g/alpha)^(beta-1)
//
//   gradient  .x   the magnitude g on this level
//   coarser   .x   the attenuation on the next coarser level: its sample i is at 2i of this one
//   last      .xy  the coarser level's last column and row
//   shrink    .x   1/2; 0 on the coarsest level, where coarser is the single record 1
//   alpha     .x   the magnitude that is unchanged
//   exponent  .x   beta - 1
//   least     .x   smaller magnitudes are replaced by this one
//   result    .x   the attenuation
//
// Cost: 24 instructions, 5 of them fetches
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
