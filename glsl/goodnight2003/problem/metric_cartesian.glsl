// Cartesian coordinates (Goodnight et al. 2003, section 5.1): all scale factors are 1.
//
//   p        .xy   the coordinates
//   metric   .xyz  the scale factors h1 and h2, the conductivity k
vec3 metric(vec2 p) {
    return vec3(1.0);
}
