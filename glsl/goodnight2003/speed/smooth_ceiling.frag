// What half a sweep can at best take (Goodnight et al. 2003, section 7.1): the fetches of the lean
// smoother, merely added up.
//
//   state           .xyzw   a state texel, and its neighbours
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
