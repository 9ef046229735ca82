// The surroundings of the glass box: a pale room with a large lamp above (not in Batty, Wiebe, Houston 2003).

// Light from a direction.
vec3 ROOM(vec3 ray) {
    float rise = ray.y / length(ray);
    vec3 wall = mix(vec3(0.90, 0.92, 0.94), vec3(0.50, 0.62, 0.76), smoothstep(0.0, 0.9, rise));
    vec3 floor_tone = mix(vec3(0.74, 0.75, 0.76), vec3(0.48, 0.50, 0.52), smoothstep(0.0, 0.7, -rise));
    // The lamp is a rectangle on the ceiling, with soft edges.
    vec2 ceiling = ray.xz / max(ray.y, 0.05) - vec2(-0.45, 0.25);
    vec2 within = 1.0 - smoothstep(vec2(0.45, 0.28), vec2(0.62, 0.40), abs(ceiling));
    vec3 lamp = vec3(1.3, 1.26, 1.18) * within.x * within.y * step(0.0, rise);
    return (rise < 0.0 ? floor_tone : wall) + lamp;
}
