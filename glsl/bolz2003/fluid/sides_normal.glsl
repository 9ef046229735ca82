// Prepended to kernels for the border (Bolz et al. 2003, section 4.2; needs grid_nodes.glsl): the outward
// normal at the sides of the domain.
//
//   OUTWARD_X(i, v)   v times the outward normal's x at the nodes of texel i, zero off the sides
//   OUTWARD_Y(i, v)   v times its y
#define OUTWARD_X(i, v) ((step(ends.y, columns(i)) - step(columns(i), vec4(ends.x))) * (v))
#define OUTWARD_Y(i, v) ((step(ends.w, rows(i)) - step(rows(i), vec4(ends.z))) * (v))
