// Half of a step in the Gaussian pyramid (Fattal et al. 2002, section 4): keeps every other sample along one axis,
// weighted with its neighbours. Samples beyond the border are equal to the border's sample.
//
//   result[i] = 1/16 (fine[2i-2] + 4 fine[2i-1] + 6 fine[2i] + 4 fine[2i+1] + fine[2i+2])
//
//   fine     .x    samples
//   axis     .xy   (1, 0): along rows; (0, 1): along columns
//   size     .xy   columns and rows of fine
//   result   .x    half as many along the axis, rounded up
//
// STRIDED(fine): every other sample
//
// Cost: 30 instructions, 5 of them fetches
uniform stream fine;
uniform vec2 axis;
uniform vec2 size;

float at(vec2 p) {
    return fetch(fine, clamp(p, vec2(0.5), size - 0.5)).x;
}

void main() {
    vec2 p = here + axis * (here - 0.5);
    float far = at(p - 2.0 * axis) + at(p + 2.0 * axis);
    float near = at(p - axis) + at(p + axis);
    result = vec4(0.0625 * (far + 4.0 * near + 6.0 * at(p)), 0.0, 0.0, 0.0);
}
