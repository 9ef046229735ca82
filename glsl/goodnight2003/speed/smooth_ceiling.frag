// The ceiling of half a sweep, for timing: the fetches of the optimised smoother, only added up (Goodnight et al.
// 2003, section 7.1).
//
//   state           .xyzw   U, residual, F of a node and its neighbours
//   operator_map    .xyzw   the operator
//   red_black_map   .xyzw   the colours
//   result          .xyzw   no meaning
uniform stream state;
uniform stream operator_map;
uniform stream red_black_map;

void main() {
    vec4 around = fetch(state, here - vec2(1.0, 0.0)) + fetch(state, here + vec2(1.0, 0.0))
        + fetch(state, here - vec2(0.0, 1.0)) + fetch(state, here + vec2(0.0, 1.0));
    result = fetch(state, here) + around + fetch(operator_map, here) + fetch(red_black_map, here);
}
