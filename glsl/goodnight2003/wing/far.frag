// The vorticity in the last column (Goodnight et al. 2003, section 5.3).
//
//   zeta + 2 theta' = the same, one node inwards and before the step, where the fluid leaves;   0 where it enters
//
//   vorticity   .x    zeta
//   psi         .x    the stream function
//   turn        .xy   2 theta' before and after the step
//   result      .xy   zeta, 0
//
// NODE: grid.glsl
// Cost: 27 instructions, 3 of them fetches, with grid
uniform stream vorticity;
uniform stream psi;
uniform vec2 turn;

void main() {
    float outward = fetch(psi, NODE(vec2(0.0, 1.0))).x - fetch(psi, NODE(vec2(0.0, -1.0))).x;
    float inside = fetch(vorticity, here - vec2(1.0, 0.0)).x + turn.x;
    result = vec4((outward > 0.0 ? inside : 0.0) - turn.y, 0.0, 0.0, 0.0);
}
