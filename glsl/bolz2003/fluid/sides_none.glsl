// Prepended to kernels for inner texels, which have no node on a side of the domain (Bolz et al. 2003,
// section 4.2).
//
//   OUTWARD_X(i, v)   v times the outward normal's x at the nodes of texel i: zero
//   OUTWARD_Y(i, v)   v times its y: zero
#define OUTWARD_X(i, v) 0.0
#define OUTWARD_Y(i, v) 0.0
