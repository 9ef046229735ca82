// The machine that all fragment programs of this project are written for.
//
//   uniform stream x;    a stream: a rectangle texture of floats, read without filtering
//   fetch(x, p)          its record at texel position p (texel centres: column + 0.5, row + 0.5)
//   here                 the position of the record that this run of the program produces
//   result               that record
//
// The names hidden here (sampler2DRect, texture, gl_FragCoord) do not exist in every GLSL; the four above
// existed in 2003 in some form. The instruction counter recognises each fetch by its name.
#define stream sampler2DRect
#define fetch(s, p) texture(s, p)
#define here gl_FragCoord.xy
out vec4 result;
