// The displayed colours, in a screen's encoding, sRGB (Fattal et al. 2002, section 5).
//
//   C_out = (C_in / L_in)^s L_out,   L_out = (exp(gain (I - white)) - black) / (1 - black)
//
//   colours     .xyz  C_in: linear red, green and blue
//   solution    .x    I, the solution of the Poisson equation
//   weights     .xyz  the shares of the three in L_in
//   white       .x    I where L_out is 1
//   gain        .x    factor that stretches I to the screen's contrast
//   black       .x    light of the screen's black, if its white is 1
//   saturation  .x    s
//   result      .xyz  from 0 to 1, encoded
//
// Cost: 29 instructions, 2 of them fetches
uniform stream colours;
uniform stream solution;
uniform vec3 weights;
uniform float white;
uniform float gain;
uniform float black;
uniform float saturation;

// The smallest luminance: logarithms need a number above zero.
const float TINY = 1e-30;

void main() {
    vec3 colour = fetch(colours, here).xyz;
    vec3 ratio = max(colour / max(dot(weights, colour), TINY), vec3(TINY));
    float light = exp(gain * (fetch(solution, here).x - white));
    float shown = (light - black) / (1.0 - black);
    vec3 linear = clamp(pow(ratio, vec3(saturation)) * shown, 0.0, 1.0);
    vec3 curve = 1.055 * pow(max(linear, vec3(TINY)), vec3(1.0 / 2.4)) - 0.055;
    result = vec4(mix(curve, 12.92 * linear, step(linear, vec3(0.0031308))), 1.0);
}
