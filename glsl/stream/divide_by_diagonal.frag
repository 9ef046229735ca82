// The diagonal preconditioner: the residual divided by the diagonal entries (Bolz et al. 2003,
// section 3.1.1, notes).
//
//   z[i] = r[i] / A_i[i];   0 where there is no row
//
//   diagonal   .x     a_ii; zero where there is no row
//   r          .xyzw  the residual
//   result     .xyzw  z_i
//
// Cost: 6 instructions, 2 of them fetches
uniform stream diagonal;
uniform stream r;

void main() {
    float a_ii = fetch(diagonal, here).x;
    result = abs(a_ii) > 0.0 ? fetch(r, here) / a_ii : vec4(0.0);
}
