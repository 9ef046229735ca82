// Put in front of a kernel over a grid for inner texels, which have no node on a side of the domain
// (Bolz et al. 2003, section 4.2).
//
//   OUTWARD_X(i, v)   v times the outward normal's x at the nodes of texel i: nothing
//   OUTWARD_Y(i, v)   v times its y
#define OUTWARD_X(i, v) 0.0
#define OUTWARD_Y(i, v) 0.0
