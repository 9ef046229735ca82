// Kills what has converged (Goodnight et al. 2003, section 4.1.3): an occlusion query counts the
// fragments that survive.
//
//   state       .xyz    U, residual, F
//   target      .xy     the level's corner in the target
//   source      .xy     the corner of the level that is read
//   tolerance   .x      the residual that is small enough
//   result      .xyzw   U, residual, F, 0
uniform stream state;
uniform vec2 target;
uniform vec2 source;
uniform float tolerance;

void main() {
    vec4 center = fetch(state, here - target + source);
    if (abs(center.y) <= tolerance) discard;
    result = center;
}
