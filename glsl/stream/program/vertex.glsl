// The machine that all vertex programs of rectangles are written for.
//
//   corner        .xy   a corner of the rectangle: column and row of the target
//   target_size   .xy   columns and rows of the target
//   placed              that corner in clip coordinates, for gl_Position
//
// An output `out vec2 NAME;` reaches the fragment program interpolated: `corner + offset` here becomes
// `here + offset` there. As w is one, the interpolation is linear in the texels.
layout(location = 0) in vec2 corner;
uniform vec2 target_size;
#define placed vec4(2.0 * corner / target_size - 1.0, 0.0, 1.0)
