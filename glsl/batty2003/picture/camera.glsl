// The camera. The ray through a pixel is `forward + a right + b up`, where a and b are the pixel's distances from
// the middle of the picture, as fractions of its width and height. Depth is measured along `forward`. (No section
// of the paper is about pictures.)
//
//   picture    .xy    columns and rows of the picture
//   eye        .xyz   position of the camera
//   forward    .xyz   direction of view at the middle of the picture, a unit vector
//   right      .xyz   from the picture's left to its right edge, one unit in front of the eye
//   up         .xyz   from its lower to its upper edge, one unit away
uniform vec2 picture;
uniform vec3 eye;
uniform vec3 forward;
uniform vec3 right;
uniform vec3 up;

vec3 RAY(vec2 texel) {
    vec2 screen = texel / picture - 0.5;
    return forward + screen.x * right + screen.y * up;
}

// The texel that shows a point; on the edge of the picture if the point is behind the eye.
vec2 TEXEL_OF(vec3 place) {
    vec3 q = place - eye;
    vec2 screen = vec2(dot(q, right) / dot(right, right), dot(q, up) / dot(up, up));
    return clamp((screen / max(dot(q, forward), 1e-3) + 0.5) * picture, vec2(0.5), picture - 0.5);
}
