// Discards the fragments of nodes that have converged (Goodnight et al. 2003, section 4.1.3); an occlusion query
// counts those that remain. `discard` is an instruction of 2003 (KIL), not a branch.
//
//   state       .xyz    U, residual, F
//   target      .xy     the level's corner in the target
//   source      .xy     the corner of the level that is read
//   tolerance   .x      largest residual of a converged node
//   result      .xyzw   U, residual, F, 0
//
// Cost: 6 instructions, 1 of them a fetch
uniform stream state;
uniform vec2 target;
uniform vec2 source;
uniform float tolerance;

void main() {
    vec4 centre = fetch(state, here - target + source);
    if (abs(centre.y) <= tolerance) discard;
    result = centre;
}
