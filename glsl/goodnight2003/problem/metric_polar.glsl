// Polar coordinates (Goodnight et al. 2003, section 5.3): h2, the length of a step in angle, is the radius.
//
//   p        .xy   radius and angle
//   metric   .xyz  the scale factors h1 and h2, the conductivity k
vec3 metric(vec2 p) {
    return vec3(1.0, p.x, 1.0);
}
