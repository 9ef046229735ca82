// The background of the liquid: a floor with lines, lit through the liquid; solids and the box's frame; the
// room. (No section of the paper is about pictures.)
//
//   bodies     .xyzw  solids and frame: linear light, depth (0 where there is neither)
//   light      .xyzw  light on the floor in three colours; w below 1/2 in a solid's shadow
//   region     .xyzw  the part of the floor in `light`: its smallest x and z, and its extent in x and z
//   texels     .xy    columns and rows of `light`
//   extent     .xyz   extent of the box
//   line       .x     distance between lines on the floor
//   result     .xyzw  linear light, depth
//
// RAY: camera.glsl; ROOM: studio.glsl
// Cost: 533 instructions, 26 of them fetches, with camera studio
uniform stream bodies;
uniform stream light;
uniform vec4 region;
uniform vec2 texels;
uniform vec3 extent;
uniform float line;

vec3 light_at(vec2 place) {
    vec2 at = (place - region.xy) / region.zw * texels;
    vec3 sum = vec3(0.0);
    float share = 0.0;
    for (float row = -2.0; row < 3.0; row += 1.0) {
        for (float column = -2.0; column < 3.0; column += 1.0) {
            vec2 texel = floor(at) + vec2(column, row) + 0.5;
            vec2 off = texel - at;
            float weight = exp(-0.5 * dot(off, off));
            vec4 landed = fetch(light, clamp(texel, vec2(0.5), texels - 0.5));
            sum += weight * clamp(landed.xyz, 0.0, 6.0) * step(0.5, landed.w);
            share += weight;
        }
    }
    return sum / share;
}

vec3 floor_colour(vec2 place, float depth) {
    vec2 cell = abs(fract(place / line + 0.5) - 0.5) * line;
    float nearest = min(cell.x, cell.y);
    float wide = 0.0015 + 0.0008 * depth;
    float drawn = (1.0 - smoothstep(wide, 2.0 * wide, nearest)) * exp(-0.35 * depth);
    vec3 albedo = mix(vec3(0.80, 0.81, 0.82), vec3(0.50, 0.55, 0.60), drawn);
    vec2 beyond = max(abs(place - 0.5 * extent.xz) - 0.5 * extent.xz, 0.0);
    float open = 1.0 - 0.22 * exp(-8.0 * length(beyond) / extent.y);
    return albedo * (open * vec3(0.44, 0.45, 0.47) + vec3(0.50, 0.49, 0.47) * light_at(place));
}

void main() {
    vec3 ray = RAY(here);
    float depth = -eye.y / min(ray.y, -1e-4);
    vec2 place = eye.xz + depth * ray.xz;
    float size = max(extent.x, max(extent.y, extent.z));
    float away = length(place - 0.5 * extent.xz) / size;
    vec3 far = ROOM(vec3(ray.x, max(ray.y, 0.0), ray.z));
    vec3 colour = mix(floor_colour(place, depth / size), far, smoothstep(0.9, 3.5, away));
    vec4 behind = ray.y < -1e-4 ? vec4(colour, depth) : vec4(far, 1e4);
    vec4 body = fetch(bodies, here);
    result = body.w > 0.0 && body.w < behind.w ? body : behind;
}
