// The red-black map (Goodnight et al. 2003, sections 4.1.1 and 6).
//
//   red_black_map   .xyzw   1 at red nodes, 0 at black ones; the weights of interpolation along
//                           columns and rows; the leak of a boundary condition that is folded into
//                           the operator map, else 0
uniform stream red_black_map;
