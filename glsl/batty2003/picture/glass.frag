// The panes of the glass box, which reflect a little of the room; the top is open. (No section of the paper is
// about pictures.)
//
//   inside     .xyzw  the picture without the glass: linear light, depth
//   extent     .xyz   extent of the box
//   result     .xyz   linear light
//
// RAY: camera.glsl; ROOM: studio.glsl
// Cost: 79 instructions, 1 of them a fetch, with camera studio
uniform stream inside;
uniform vec3 extent;

void main() {
    vec3 ray = RAY(here);
    vec4 scene = fetch(inside, here);
    vec3 safe = ray + vec3(1e-5) * (1.0 - step(vec3(1e-5), abs(ray)));
    vec3 low = -eye / safe;
    vec3 high = (extent - eye) / safe;
    vec3 enter = min(low, high);
    vec3 exit = max(low, high);
    float first = max(enter.x, max(enter.y, enter.z));
    float last = min(exit.x, min(exit.y, exit.z));
    vec3 d = normalize(ray);
    vec3 facing = step(vec3(first), enter);
    vec3 normal = -facing * sign(ray);
    float cosine = clamp(abs(dot(d, facing)), 0.0, 1.0);
    float mirrored = 0.04 + 0.96 * pow(1.0 - cosine, 5.0);
    // Liquid that touches a pane counts as behind it.
    bool pane = first < last && first < scene.w + 0.004 * extent.y && facing.y < 0.5;
    vec3 sheen = ROOM(reflect(d, normal));
    vec3 colour = mix(scene.xyz, sheen, 0.8 * mirrored);
    result = vec4(pane ? colour : scene.xyz, 1.0);
}
