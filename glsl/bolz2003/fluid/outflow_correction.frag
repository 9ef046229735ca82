// The velocity added along the open side, so that outflow equals inflow (Bolz et al. 2003, section 4.1; see
// outflow_strips.frag).
//
//   result = (inflow - sum of strips) / height
//
//   strips   .x   the flux through each of STRIPS strips
//   inflow   .x   the flux through the inlet
//   height   .x   the length of the open side
//   result   .x   in grid spaces per unit of time
//
// Cost: 10 instructions, 4 of them fetches, with STRIPS=4
uniform stream strips;
uniform float inflow;
uniform float height;

void main() {
    float sum = 0.0;
    for (float k = 0.0; k < STRIPS; k += 1.0) {
        sum += fetch(strips, vec2(0.5, k + 0.5)).x;
    }
    result = vec4((inflow - sum) / height);
}
