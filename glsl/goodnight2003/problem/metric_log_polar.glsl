// Coordinates around a cylinder of diameter one (Goodnight et al. 2003, section 5.3): the logarithm
// of the radius, from 0 on the cylinder, and the angle. They are conformal: h1 = h2.
//
//   metric        the scale factors h1 and h2, the conductivity k, at p = (xi, eta)
//   place         x and y at p, in diameters from the middle of the cylinder
//   coordinates   p at a point outside the cylinder; the inverse of place
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    return vec3(h, h, 1.0);
}

vec2 place(vec2 p) {
    return 0.5 * exp(p.x) * vec2(cos(p.y), sin(p.y));
}

// The angle of z, to 1e-5 (Abramowitz and Stegun 4.4.47), because the processor had no arctangent.
float angle(vec2 z) {
    vec2 a = abs(z);
    float t = min(a.x, a.y) / max(a.x, a.y);
    float s = t * t;
    float high = 0.1801410 + s * (-0.0851330 + s * 0.0208351);
    float octant = t * (0.9998660 + s * (-0.3302995 + s * high));
    float quadrant = a.y > a.x ? 1.57079633 - octant : octant;
    float turn = z.x < 0.0 ? 3.14159265 - quadrant : quadrant;
    return z.y < 0.0 ? -turn : turn;
}

vec2 coordinates(vec2 z) {
    return vec2(log(2.0 * length(z)), angle(z));
}
