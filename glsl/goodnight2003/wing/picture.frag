// The vorticity around the wing in colours, seen from the frame at rest (Goodnight et al. 2003, section 5.3,
// colorplate 1): blue for clockwise, amber for counter-clockwise, grey for the wing.
//
//   vorticity   .x    zeta, one node per texel
//   size        .xy   columns and rows
//   spacing     .xy   dxi and deta
//   corner      .xy   the lower left corner of the picture, relative to the pivot's position at rest
//   sample_step .x    the distance from one sample to the next
//   pivot       .xy   position of the pivot
//   axis        .xy   cosine and sine of the wing's angle
//   double_turn .x    2 theta'
//   most        .x    the vorticity of the brightest colour
//   result      .xyz  linear light
//
// COORDINATES: metric_*.glsl
// Cost: 69 instructions, 4 of them fetches, with metric_log_polar, COORDINATES(z)=coordinates(z)
uniform stream vorticity;
uniform vec2 size;
uniform vec2 spacing;
uniform vec2 corner;
uniform float sample_step;
uniform vec2 pivot;
uniform vec2 axis;
uniform float double_turn;
uniform float most;

const vec3 DARK = vec3(0.006, 0.007, 0.012);
const vec3 WING = vec3(0.45);
const float TAU = 6.28318530718;

vec3 ramp(float share, vec3 middle, vec3 bright) {
    vec3 low = mix(DARK, middle, clamp(2.0 * share, 0.0, 1.0));
    return mix(low, bright, clamp(2.0 * share - 1.0, 0.0, 1.0));
}

// The vorticity at q, in nodes, interpolated from the four nodes around it.
float between(vec2 q) {
    vec2 p = vec2(clamp(q.x, 0.0, size.x - 1.001), q.y);
    vec2 low = floor(p) + 0.5;
    vec2 t = p - floor(p);
    vec2 below = vec2(fetch(vorticity, low).x, fetch(vorticity, low + vec2(1.0, 0.0)).x);
    vec2 above = vec2(fetch(vorticity, low + vec2(0.0, 1.0)).x, fetch(vorticity, low + 1.0).x);
    vec2 column = mix(below, above, t.y);
    return mix(column.x, column.y, t.x);
}

void main() {
    vec2 z = corner + sample_step * here - pivot;
    vec2 p = COORDINATES(vec2(axis.x * z.x + axis.y * z.y, axis.x * z.y - axis.y * z.x));
    float row = fract(p.y / TAU) * (size.y - 1.0);
    float value = between(vec2(p.x / spacing.x, min(row, size.y - 1.001))) + double_turn;
    float share = pow(abs(value) / most, 0.75);
    vec3 blue = ramp(share, vec3(0.02, 0.17, 0.55), vec3(0.55, 0.88, 1.0));
    vec3 amber = ramp(share, vec3(0.62, 0.16, 0.02), vec3(1.0, 0.86, 0.48));
    result = vec4(p.x < 0.0 ? WING : value < 0.0 ? blue : amber, 1.0);
}
