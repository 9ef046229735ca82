// Entries of the matrix from bytes (Batty, Wiebe, Houston 2003, Appendix C, step 1): 0 to 1 is read and
// -128 to 127 meant. What is no whole number in that range is stored as the nearest one, and a zero may
// come out as some 1e-5.
#define MEANT(stored) (255.0 * (stored) - 128.0)
