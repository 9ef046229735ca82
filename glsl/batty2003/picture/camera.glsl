// Where the glass box is seen from. A place of the picture, as shares of its sides from its middle,
// lies on the ray `forward + across right + up`; depth is counted along `forward`. (No section of
// the paper is about pictures.)
//
//   picture    .xy    columns and rows of the picture
//   eye        .xyz   where it is seen from
//   forward    .xyz   where to, at the middle of the picture, of unit length
//   right      .xyz   from its left to its right side, a unit before the eye
//   up         .xyz   from its lower to its upper side
uniform vec2 picture;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;
uniform vec3 up;

vec3 RAY(vec2 texel) {
    vec2 screen = texel / picture - 0.5;
    return forward + screen.x * right + screen.y * up;
}

// The texel in which a place is seen; behind the eye, the picture's edge.
vec2 TEXEL_OF(vec3 place) {
    vec3 q = place - eye;
    vec2 screen = vec2(dot(q, right) / dot(right, right), dot(q, up) / dot(up, up));
    return clamp((screen / max(dot(q, forward), 1e-3) + 0.5) * picture, vec2(0.5), picture - 0.5);
}
