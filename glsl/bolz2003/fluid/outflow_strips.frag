// The outflow through the open side at the right, summed in strips of STRIP rows (Bolz et al. 2003,
// section 4.1: with zero Neumann conditions equation 3 has a solution only if outflow equals inflow).
// Fluid does not enter there: velocities that point inwards count as zero.
//
//   result[k] = sum over rows j of strip k of height(j) max(velocity_x[last column, j], 0)
//
//   velocity   .xy   one node per texel
//   last       .xy   number of the last column and row
//   result     .x    the flux through a strip, in squared grid spaces per unit of time
//
// Cost: 99 instructions, 8 of them fetches, with STRIP=8
uniform stream velocity;
uniform vec2 last;

void main() {
    float first = STRIP * (here.y - 0.5);
    float sum = 0.0;
    for (float c = 0.0; c < STRIP; c += 1.0) {
        float row = first + c;
        float height = step(row, last.y) * (1.0 - 0.5 * (step(row, 0.0) + step(last.y, row)));
        sum += height * max(fetch(velocity, vec2(last.x + 0.5, min(row, last.y) + 0.5)).x, 0.0);
    }
    result = vec4(sum);
}
