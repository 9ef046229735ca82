// The machine that every vertex program of rectangles is written for.
//
//   corner        .xy   a corner of the rectangle: column and row of the target
//   target_size   .xy   columns and rows of the target
//   placed              that corner in clip coordinates: what gl_Position is to be
//
// What a program declares as `out vec2 NAME;` reaches the fragment program interpolated: what is
// `corner + offset` here is `here + offset` there. Since w is one, that is linear in the texels.
layout(location = 0) in vec2 corner;
uniform vec2 target_size;
#define placed vec4(2.0 * corner / target_size - 1.0, 0.0, 1.0)
