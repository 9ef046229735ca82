// Coordinates round a cylinder of diameter one (Goodnight et al. 2003, section 5.3): the logarithm
// of the radius, from 0 on the cylinder, and the angle. They are conformal: h1 = h2.
//
//   metric        the scale factors h1 and h2, the conductivity k, at p = (xi, eta)
//   place         x and y at p, in diameters from the middle of the cylinder
//   coordinates   p at a place outside of the cylinder; the inverse of place
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    return vec3(h, h, 1.0);
}

vec2 place(vec2 p) {
    return 0.5 * exp(p.x) * vec2(cos(p.y), sin(p.y));
}

vec2 coordinates(vec2 z) {
    return vec2(log(2.0 * length(z)), atan(z.y, z.x));
}
