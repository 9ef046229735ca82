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
// COORDINATES: metric_*.glsl; BLUE, AMBER: view/signed.glsl
// Cost: 227 instructions, 16 of them fetches, with view/signed metric_log_polar, COORDINATES(z)=coordinates(z)
uniform stream vorticity;
uniform vec2 size;
uniform vec2 spacing;
uniform vec2 corner;
uniform float sample_step;
uniform vec2 pivot;
uniform vec2 axis;
uniform float double_turn;
uniform float most;

const vec3 WING = vec3(0.45);
const float TAU = 6.28318530718;

// The weights of four nodes in a row, t after the second one (Catmull and Rom 1974): between two nodes a cubic with
// the slopes of central differences. Linear ones would scallop the edges of a vortex where cells are large.
vec4 weights(float t) {
    float s = 1.0 - t;
    return vec4(-t * s * s, 2.0 + t * t * (3.0 * t - 5.0), 2.0 + s * s * (3.0 * s - 5.0), -s * t * t) / 2.0;
}

// The vorticity at a node: columns end at the wing and outside, rows close to a ring.
float node(vec2 q) {
    float ring = size.y - 1.0;
    vec2 inside = vec2(clamp(q.x, 0.0, size.x - 1.0), q.y - ring * floor(q.y / ring));
    return fetch(vorticity, inside + 0.5).x;
}

// Four nodes of a row, the second one at q, with these weights.
float along(vec2 q, vec4 w) {
    vec4 nodes = vec4(node(q - vec2(1.0, 0.0)), node(q), node(q + vec2(1.0, 0.0)), node(q + vec2(2.0, 0.0)));
    return dot(w, nodes);
}

// The vorticity at q, in nodes, interpolated from sixteen nodes around it.
float between(vec2 q) {
    vec2 p = vec2(clamp(q.x, 0.0, size.x - 1.0), q.y);
    vec2 low = floor(p);
    vec4 w = weights(p.x - low.x);
    vec2 up = vec2(0.0, 1.0);
    vec4 rows = vec4(along(low - up, w), along(low, w), along(low + up, w), along(low + 2.0 * up, w));
    return dot(weights(p.y - low.y), rows);
}

void main() {
    vec2 z = corner + sample_step * here - pivot;
    vec2 p = COORDINATES(vec2(axis.x * z.x + axis.y * z.y, axis.x * z.y - axis.y * z.x));
    float row = fract(p.y / TAU) * (size.y - 1.0);
    float value = between(vec2(p.x / spacing.x, row)) + double_turn;
    float share = pow(abs(value) / most, 0.75);
    result = vec4(p.x < 0.0 ? WING : value < 0.0 ? BLUE(share) : AMBER(share), 1.0);
}
