// A basin of water, seen from above one of its edges (Krueger and Westermann 2003, section 6, Figs. 1, 6, 7). The
// surface reflects the sky and refracts the tiles of the basin, and the waves focus the light of the sun.
//
// The basin is 1 wide and size.y / size.x long; z points up, and still water is at 0.
//
//   height     .x     height of the water, one cell per texel
//   size       .xy    columns and rows of cells
//   picture    .xy    columns and rows of the picture
//   relief     .x     drawn height of a height of 1, in widths of the basin
//   eye        .xyz   position of the camera
//   forward    .xyz   direction of view at the middle of the picture
//   right      .xyz   from the picture's left to its right edge, one unit in front of the eye
//   up         .xyz   from its lower to its upper edge
//   result     .xyz   linear light
//
// EXCEPTION(limits): a picture of fragstream's, in one pass
//
// INTERPOLATE: interpolate_linear.glsl
// Cost: 436 instructions, 52 of them fetches, with interpolate_linear
uniform stream height;
uniform vec2 size;
uniform vec2 picture;
uniform float relief;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;
uniform vec3 up;

const float DEPTH = 0.22;
const float TILE = 0.0625;
const float RIM = 0.045;
const vec3 SUN = vec3(-0.2, 0.662, 0.7223);

float height_at(vec2 place) {
    vec2 p = clamp(place * size.x, vec2(0.5), size - 0.5);
    return relief * INTERPOLATE(height, p).x;
}

vec2 slope_at(vec2 place) {
    vec2 dx = vec2(1.0 / size.x, 0.0);
    float across = height_at(place + dx) - height_at(place - dx);
    float along = height_at(place + dx.yx) - height_at(place - dx.yx);
    return 0.5 * size.x * vec2(across, along);
}

// Focusing of the sun's light at the bottom by the surface: 1 if the surface is flat.
float bundling(vec2 place) {
    vec2 dx = vec2(2.0 / size.x, 0.0);
    float sum = height_at(place + dx) + height_at(place - dx) + height_at(place + dx.yx)
              + height_at(place - dx.yx) - 4.0 * height_at(place);
    float bend = 0.25 * size.x * size.x * sum;
    return 1.0 / clamp(1.0 + 0.25 * DEPTH * bend, 0.3, 4.0);
}

float hash(vec2 p) {
    vec2 q = fract((p + 0.5) * vec2(0.7548777, 0.5698403));
    return fract(61.0 * q.x * q.y + 7.0 * q.y);
}

// Tiles: each has its own shade, with joints between them.
vec3 tiles(vec2 p, float tile, vec3 colour, vec3 joint) {
    vec2 cell = p / tile;
    vec2 inner = abs(fract(cell) - 0.5);
    float share = smoothstep(0.465, 0.485, max(inner.x, inner.y));
    return mix(colour * (0.84 + 0.32 * hash(floor(cell))), joint, share);
}

vec3 sky(vec3 ray) {
    float rise = clamp(ray.z, 0.0, 1.0);
    vec3 colour = mix(vec3(0.78, 0.87, 0.94), vec3(0.10, 0.28, 0.62), pow(rise, 0.55));
    float toward = max(dot(ray, SUN), 0.0);
    return colour + vec3(1.0, 0.93, 0.78) * (0.25 * pow(toward, 24.0) + 14.0 * pow(toward, 900.0));
}

// The light along a ray under water, from the surface.
vec3 basin(vec3 from, vec3 ray) {
    vec3 extent = vec3(1.0, size.y / size.x, DEPTH);
    vec3 wall = vec3(step(0.0, ray.xy) * extent.xy, -DEPTH);
    vec3 far = (wall - from) / (ray + vec3(1e-5));
    far = mix(far, vec3(1e3), step(far, vec3(0.0)));
    float way = min(far.x, min(far.y, far.z));
    vec3 hit = from + way * ray;
    vec2 flat_place = far.z <= way ? hit.xy : (far.x <= way ? hit.yz : hit.xz);
    vec3 colour = tiles(flat_place, TILE, vec3(0.36, 0.70, 0.76), vec3(0.80, 0.88, 0.88));
    // The sun's ray that ends here entered there; under water it is steeper.
    vec2 lit_through = hit.xy - SUN.xy * 0.55 * hit.z;
    float light = 0.42 + 0.62 * bundling(lit_through) * (far.z <= way ? 1.0 : 0.6);
    return colour * light * exp(-way * vec3(2.6, 0.75, 0.5));
}

// Stone around the basin, and a dark ground beyond.
vec3 surroundings(vec2 place) {
    vec2 extent = vec2(1.0, size.y / size.x);
    vec2 beyond = max(max(-place, place - extent), 0.0);
    float away = max(beyond.x, beyond.y);
    vec3 light = vec3(0.62, 0.58, 0.52);
    vec3 dark = vec3(0.45, 0.42, 0.38);
    vec3 stone = tiles(place + RIM, RIM, light, dark);
    vec3 ground = tiles(place, 0.14, vec3(0.20, 0.19, 0.18), vec3(0.13, 0.125, 0.12));
    vec3 colour = mix(stone, ground, smoothstep(RIM, RIM + 0.004, away));
    return colour * (0.55 + 0.45 * smoothstep(0.0, 0.012, away));
}

void main() {
    vec2 screen = here / picture - 0.5;
    vec3 ray = normalize(forward + screen.x * right + screen.y * up);
    float way = -eye.z / min(ray.z, -1e-3);
    float level = 0.0;
    // The surface is nearly flat, so that a few iterations find the point where the ray meets it.
    for (float turn = 0.0; turn < 4.0; turn += 1.0) {
        level = height_at((eye + way * ray).xy);
        way = (level - eye.z) / min(ray.z, -1e-3);
    }
    vec3 place = eye + way * ray;
    vec2 extent = vec2(1.0, size.y / size.x);
    vec2 within = step(vec2(0.0), place.xy) * step(place.xy, extent);
    vec3 normal = normalize(vec3(-slope_at(place.xy), 1.0));
    float facing = clamp(-dot(ray, normal), 0.0, 1.0);
    float mirrored = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 reflected = ray + 2.0 * facing * normal;
    // Snell's law, from air to water.
    float bent = sqrt(1.0 - 0.5625 * (1.0 - facing * facing));
    vec3 refracted = 0.75 * ray + (0.75 * facing - bent) * normal;
    vec3 below = basin(place, refracted);
    vec3 above = sky(vec3(reflected.xy, abs(reflected.z)));
    vec3 water = mix(below, above, mirrored);
    vec3 beside = surroundings((eye - ray * eye.z / min(ray.z, -1e-3)).xy);
    vec3 colour = within.x * within.y > 0.5 ? water : beside;
    result = vec4(ray.z > -1e-3 ? sky(ray) : colour, 1.0);
}
