// Put in front of a kernel over a grid where nothing special happens: four inner nodes a fragment
// (Bolz et al. 2003, section 4.2, texture layout). Behind grid_surrounded.glsl it says the neighbours alone.
//
//   AT          the texel whose nodes are computed: this one
//   KEEP(v)     what of the values computed there is kept here: all
//   LEFT(i)     whether the nodes at texel i have a left neighbour: 1; RIGHT, BELOW, ABOVE likewise
//   WIDTH(i)    width of the control volumes of the nodes at texel i, in units of h: whole
//   HEIGHT(i)   their height
#ifndef AT
#define AT here
#define KEEP(v) (v)
#endif
#define LEFT(i) 1.0
#define RIGHT(i) 1.0
#define BELOW(i) 1.0
#define ABOVE(i) 1.0
#define WIDTH(i) 1.0
#define HEIGHT(i) 1.0
