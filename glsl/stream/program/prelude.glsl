// The machine that every fragment program of this project is written for.
//
//   uniform stream x;    a stream: a rectangle texture of floats, read without filtering
//   fetch(x, p)          its record at texel position p (texel centres: column + 0.5, row + 0.5)
//   here                 the position of the record that this run of the program produces
//   result               that record
//
// What this hides (sampler2DRect, texture, gl_FragCoord) does not exist everywhere; what it
// shows existed in 2003. Each fetch is visible as such to the instruction counter.
#define stream sampler2DRect
#define fetch(s, p) texture(s, p)
#define here gl_FragCoord.xy
out vec4 result;
