// The operator map with boundary conditions folded in (Goodnight et al. 2003, sections 4.2 and 5.1): where a
// value is prescribed, a stencil without neighbours replaces the five-point stencil. One pass folds all levels
// into a second map.
//
//   operator_map   .xyzw   a_k: west, east, south, north
//   boundary_map   .xyzw   alpha, beta, gamma, s; zero inside
//   result         .xyzw   a_k of the folded equation
//
// CONDITION, IS_HELD: condition.glsl
// Cost: 7 instructions, 2 of them fetches, with condition
uniform stream operator_map;

void main() {
    vec4 a = fetch(operator_map, here);
    result = IS_HELD(CONDITION(here)) ? vec4(0.0) : a;
}
