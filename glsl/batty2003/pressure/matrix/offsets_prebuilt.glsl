// Distances as the CPU has built them: pairs of floats (Batty, Wiebe, Houston 2003, Appendix C, step 3).
#define OFFSET(given) given
