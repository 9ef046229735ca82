// The nine streams of a stored stencil (Bolz et al. 2003, section 4.2): A^d[i] is the
// coefficient of node i + d in the equation of node i. m is -1, p is +1; the column comes first.
//
//   a_mm ... a_pp   .xyzw   A^d, laid out like a vector
uniform stream a_mm;
uniform stream a_0m;
uniform stream a_pm;
uniform stream a_m0;
uniform stream a_00;
uniform stream a_p0;
uniform stream a_mp;
uniform stream a_0p;
uniform stream a_pp;
