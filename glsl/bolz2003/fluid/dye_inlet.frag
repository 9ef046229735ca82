// Dyes the fluid that enters through the inlet: its lower half with one dye, its upper half with another
// (Bolz et al. 2003, section 4.1.1: a quantity to advect).
//
//   result[i] = (1, 0) below the middle, (0, 1) above
//
//   middle   .x    row of the inlet's middle
//   result   .xy   concentrations of the two dyes
//
// Cost: 6 instructions, 0 of them fetches
uniform float middle;

void main() {
    float upper = step(middle + 0.5, here.y);
    result = vec4(1.0 - upper, upper, 0.0, 0.0);
}
