// Copies a level from one surface to the other (Goodnight et al. 2003, section 6), so that a later pass need not
// read the surface that it writes.
//
//   state    .xyzw   U, residual, F, 0
//   target   .xy     the level's corner in the target
//   source   .xy     the corner of the level that is read
//   result   .xyzw   the same
//
// Cost: 3 instructions, 1 of them a fetch
uniform stream state;
uniform vec2 target;
uniform vec2 source;

void main() {
    result = fetch(state, here - target + source);
}
