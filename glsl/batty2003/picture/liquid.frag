// The liquid in front of its background. It reflects the room by Fresnel's equations (Schlick's approximation),
// refracts the background by Snell's law where the light enters and where it leaves (Wyman 2005), and colours it.
// (No section of the paper is about pictures.)
//
// With FAR defined, the foremost body of liquid is left out: only surfaces beyond the point where a ray leaves it
// are drawn.
//
//   behind     .xyzw  the background: linear light, depth
//   entry      .xyzw  where rays enter the liquid: unit normal, depth (0 where there is no liquid)
//   leave      .xyzw  where they leave it: unit normal, depth (0 where there is no liquid)
//   foremost   .xyzw  the same, where they leave the foremost liquid
//   extent     .xyz   extent of the box
//   absorbed   .xyz   share absorbed per metre, for three colours
//   result     .xyzw  linear light, depth
//
// RAY, TEXEL_OF: camera.glsl; ROOM: studio.glsl
// Cost: 248 instructions, 7 of them fetches, with camera studio
uniform stream behind;
uniform stream entry;
uniform stream leave;
#ifdef FAR
uniform stream foremost;
#endif
uniform vec3 extent;
uniform vec3 absorbed;

const vec3 SCATTERED = vec3(0.010, 0.17, 0.27);

// Snell's law, from the front of a surface to behind it; beyond the critical angle, along the surface.
vec3 bend(vec3 ray, vec3 normal, float ratio) {
    float facing = clamp(-dot(ray, normal), 0.0, 1.0);
    float bent = sqrt(max(1.0 - ratio * ratio * (1.0 - facing * facing), 0.0));
    return normalize(ratio * ray + (ratio * facing - bent) * normal);
}

// The length of a ray within the box.
float way_in_box(vec3 from, vec3 ray) {
    vec3 safe = ray + vec3(1e-5) * (1.0 - step(vec3(1e-5), abs(ray)));
    vec3 ways = (step(vec3(0.0), safe) * extent - from) / safe;
    return max(min(ways.x, min(ways.y, ways.z)), 0.0);
}

// The light along a ray that has left the liquid: from the floor where it lands, from a body in front of the
// floor if the ray comes close to it, or else from the room.
vec3 seen(vec3 from, vec3 ray) {
    float way = from.y / max(-ray.y, 0.02);
    vec2 texel = TEXEL_OF(from + way * ray);
    vec4 landed = fetch(behind, texel);
    vec3 off = eye + landed.w * RAY(texel) - from;
    off -= max(dot(off, ray), 0.0) * ray;
    float by = 1.0 - smoothstep(0.05, 0.15, length(off) / extent.y);
    return mix(ROOM(ray), landed.xyz, by * smoothstep(0.02, 0.10, -ray.y));
}

void main() {
    vec3 ray = RAY(here);
    vec4 before = fetch(behind, here);
    vec4 first = fetch(entry, here);
    vec4 last = fetch(leave, here);
    bool wet = first.w > 0.0 && first.w < before.w;
#ifdef FAR
    wet = wet && first.w > fetch(foremost, here).w + 1e-4;
#endif
    vec3 from = eye + first.w * ray;
    float stretch = length(ray);
    vec3 d = ray / stretch;
    vec3 n = normalize(first.xyz - max(dot(first.xyz, d) + 0.02, 0.0) * d);
    vec3 inward = bend(d, n, 0.75);
    float longest = way_in_box(from, inward);
    // First as far as the straight ray; then to the tangent plane of the surface there.
    float straight = (min(max(last.w, first.w), before.w) - first.w) * stretch;
    vec3 guess = from + min(straight, longest) * inward;
    vec2 texel = TEXEL_OF(guess);
    vec4 there = fetch(leave, texel);
    vec3 plane = eye + there.w * RAY(texel);
    float meets = dot(plane - from, there.xyz) / max(dot(inward, there.xyz), 0.05);
    float way = there.w > first.w ? clamp(meets, 0.0, 2.0 * straight) : straight;
    way = min(way, longest);
    vec3 to = from + way * inward;
    texel = TEXEL_OF(to);
    vec4 ground = fetch(behind, texel);
    vec4 out_there = fetch(leave, texel);
    // The path may end in the liquid, at a solid or on the floor.
    float depth = dot(to - eye, forward);
    bool ends = ground.w < depth + 0.004 * extent.y && ground.w > first.w - 0.01 * extent.y;
    vec3 outward = normalize(mix(n, out_there.xyz, step(1e-3, out_there.w)));
    float along = dot(inward, outward);
    // Beyond the critical angle, the surface reflects from below.
    bool mirrors = 1.7778 * (1.0 - along * along) > 1.0;
    vec3 onward = mirrors ? reflect(inward, outward) : bend(inward, -outward, 1.3333);
    vec3 through = ends ? ground.xyz : seen(to, onward);
    vec3 passed = exp(-way * absorbed);
    through = mix(SCATTERED, through, passed);
    float facing = clamp(-dot(d, n), 0.0, 1.0);
    float mirrored = 0.02 + 0.98 * pow(1.0 - facing, 5.0);
    vec3 colour = mix(through, ROOM(reflect(d, n)), mirrored);
    result = wet ? vec4(colour, first.w) : before;
}
