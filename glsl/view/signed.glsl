// The colours of signed quantities: blue below zero, amber above, dark in between.
//
//   share         .x     the magnitude, as a share of the brightest colour's
//   BLUE, AMBER   .xyz   linear light
vec3 ramp(float share, vec3 middle, vec3 bright) {
    vec3 low = mix(vec3(0.006, 0.007, 0.012), middle, clamp(2.0 * share, 0.0, 1.0));
    return mix(low, bright, clamp(2.0 * share - 1.0, 0.0, 1.0));
}

#define BLUE(share) ramp(share, vec3(0.02, 0.17, 0.55), vec3(0.55, 0.88, 1.0))
#define AMBER(share) ramp(share, vec3(0.62, 0.16, 0.02), vec3(1.0, 0.86, 0.48))
