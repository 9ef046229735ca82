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
// COORDINATES: metric_*.glsl; CATMULL_ROM: stream/catmull_rom.glsl; BLUE, AMBER: view/signed.glsl
// Cost: 229 instructions, 16 of them fetches, with stream/catmull_rom view/signed metric_log_polar, COORDINATES(z)=coordinates(z)
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

// The vorticity at a node: columns end at the wing and outside, rows close to a ring.
float node(vec2 q) {
    float ring = size.y - 1.0;
    vec2 inside = vec2(clamp(q.x, 0.0, size.x - 1.0), q.y - ring * floor(q.y / ring));
    return fetch(vorticity, inside + 0.5).x;
}

// Four nodes above each other, the second one at q.
vec4 column(vec2 q) {
    vec2 up = vec2(0.0, 1.0);
    return vec4(node(q - up), node(q), node(q + up), node(q + 2.0 * up));
}

// The vorticity at q, in nodes, interpolated from sixteen nodes around it. Linear weights would scallop the edges of a
// vortex where cells are large.
float between(vec2 q) {
    vec2 p = vec2(clamp(q.x, 0.0, size.x - 1.0), q.y);
    vec2 low = floor(p);
    vec2 t = p - low;
    vec2 right = vec2(1.0, 0.0);
    vec4 rows = CATMULL_ROM(column(low - right), column(low), column(low + right), column(low + 2.0 * right), t.x);
    return CATMULL_ROM(vec4(rows.x), vec4(rows.y), vec4(rows.z), vec4(rows.w), t.y).x;
}

void main() {
    vec2 z = corner + sample_step * here - pivot;
    vec2 p = COORDINATES(vec2(axis.x * z.x + axis.y * z.y, axis.x * z.y - axis.y * z.x));
    float row = fract(p.y / TAU) * (size.y - 1.0);
    float value = between(vec2(p.x / spacing.x, row)) + double_turn;
    float share = pow(abs(value) / most, 0.75);
    result = vec4(p.x < 0.0 ? WING : value < 0.0 ? BLUE(share) : AMBER(share), 1.0);
}
