// The divergence of the attenuated gradient field (Goodnight et al. 2003, section 5.2; Fattal et
// al. 2002, section 3), integrated over each pixel's control volume: the flow through its faces.
// G = Phi grad H is taken on the faces between pixels, with the mean of both pixels' Phi. The flow out of one pixel
// enters its neighbour, and there is no flow through the border, so that the sum over all pixels is zero.
//
//   F = sum_k a_k G_k,   G_k = (Phi + Phi_k)/2 (H_k - H)
//
//   logarithm    .x    H
//   attenuation  .x    Phi
//   size         .xy   columns and rows
//   result       .z    F, in the source's channel of the solver's state; 0 in the others
//
// Cost: 48 instructions, 10 of them fetches
uniform stream logarithm;
uniform stream attenuation;
uniform vec2 size;

// G towards a neighbour; 0 beyond the border, where the neighbour is the pixel itself.
float towards(vec2 p) {
    vec2 q = clamp(p, vec2(0.5), size - 0.5);
    float factor = 0.5 * (fetch(attenuation, here).x + fetch(attenuation, q).x);
    return factor * (fetch(logarithm, q).x - fetch(logarithm, here).x);
}

void main() {
    vec2 p = here;
    // The control volume of a pixel on the border is half as wide: its faces are half as long.
    vec2 border = step(p, vec2(1.0)) + step(size - 1.0, p);
    vec2 width = 1.0 - 0.5 * border;
    float across = towards(p - vec2(1.0, 0.0)) + towards(p + vec2(1.0, 0.0));
    float along = towards(p - vec2(0.0, 1.0)) + towards(p + vec2(0.0, 1.0));
    result = vec4(0.0, 0.0, width.y * across + width.x * along, 0.0);
}
