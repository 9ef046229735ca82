// Coordinates around a Joukowski airfoil (Goodnight et al. 2003, section 5.3). A rectangle is
// wrapped into a disc, w = m + a e^(xi + i (eta - beta)), and warped, z = s (w + 1/w) - pivot.
// The map is conformal: h1 = h2. eta = 0 is the trailing edge.
//
//   MIDDLE_X, MIDDLE_Y, RADIUS   m and a: the circle that becomes the airfoil
//   EDGE_ANGLE                   -beta: the direction from the middle to the trailing edge
//   SCALE, PIVOT                 s scales the chord to one; the point PIVOT of the chord moves to the origin
//   metric        the scale factors h1 and h2, the conductivity k, at p = (xi, eta)
//   place         x and y at p, in chords from the pivot
//   coordinates   p at a point outside the airfoil; the inverse of place
const vec2 MIDDLE = vec2(MIDDLE_X, MIDDLE_Y);

// 1/z
vec2 inverse_of(vec2 z) {
    return vec2(z.x, -z.y) / dot(z, z);
}

vec2 product(vec2 a, vec2 b) {
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// The square root of z in the right half plane.
vec2 root_of(vec2 z) {
    float magnitude = length(z);
    float y = sqrt(max(0.5 * (magnitude - z.x), 0.0));
    return vec2(sqrt(max(0.5 * (magnitude + z.x), 0.0)), z.y < 0.0 ? -y : y);
}

vec2 circle(vec2 p) {
    return MIDDLE + RADIUS * exp(p.x) * vec2(cos(p.y + EDGE_ANGLE), sin(p.y + EDGE_ANGLE));
}

vec3 metric(vec2 p) {
    vec2 inverse = inverse_of(circle(p));
    float h = SCALE * RADIUS * exp(p.x) * length(vec2(1.0, 0.0) - product(inverse, inverse));
    return vec3(h, h, 1.0);
}

vec2 place(vec2 p) {
    vec2 w = circle(p);
    return SCALE * (w + inverse_of(w)) - vec2(PIVOT, 0.0);
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
    vec2 scaled = (z + vec2(PIVOT, 0.0)) / SCALE;
    vec2 root = product(root_of(scaled - vec2(2.0, 0.0)), root_of(scaled + vec2(2.0, 0.0)));
    vec2 first = 0.5 * (scaled + root) - MIDDLE;
    vec2 second = 0.5 * (scaled - root) - MIDDLE;
    vec2 w = dot(first, first) < dot(second, second) ? second : first;
    return vec2(log(length(w) / RADIUS), angle(w) - EDGE_ANGLE);
}
