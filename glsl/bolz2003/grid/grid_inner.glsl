// Prepended to kernels for inner texels, whose nodes need no special treatment: four nodes per fragment
// (Bolz et al. 2003, section 4.2, texture layout).
//
//   AT          the texel whose nodes are computed: this one
//   KEEP(v)     the values computed there: all are kept
//   LEFT(i)     1: the nodes at texel i have a left neighbour; RIGHT, BELOW and ABOVE are the same
//   WIDTH(i)    width of the control volumes of the nodes at texel i, in units of h: 1
//   HEIGHT(i)   their height: 1
#define AT here
#define KEEP(v) (v)
#define LEFT(i) 1.0
#define RIGHT(i) 1.0
#define BELOW(i) 1.0
#define ABOVE(i) 1.0
#define WIDTH(i) 1.0
#define HEIGHT(i) 1.0
