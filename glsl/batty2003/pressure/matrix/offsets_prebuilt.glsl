// Distances computed once by the CPU: pairs of floats (Batty, Wiebe, Houston 2003, Appendix C, step 3).
#define OFFSET(given) given
