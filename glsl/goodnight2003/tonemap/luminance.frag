// The logarithm of luminance (Goodnight et al. 2003, section 5.2; Fattal et al. 2002, section 3).
//
//   H = log(L + epsilon),   L = weights . colour
//
//   colours  .xyz   linear red, green and blue; the largest luminance is 1
//   weights  .xyz   the shares of the three in luminance
//   epsilon  .x     keeps the logarithm of black finite
//   result   .x     H
//
// Cost: 6 instructions, 1 of them a fetch
uniform stream colours;
uniform vec3 weights;
uniform float epsilon;

void main() {
    result = vec4(log(dot(weights, fetch(colours, here).xyz) + epsilon), 0.0, 0.0, 0.0);
}
