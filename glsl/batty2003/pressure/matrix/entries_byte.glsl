// Entries of the matrix from bytes (Batty, Wiebe, Houston 2003, Appendix C, step 1): a fetch returns 0 to 1,
// which means -128 to 127. An entry that is not an integer in that range is rounded to the nearest one, and a
// zero may be read as about 1e-5.
#define MEANT(stored) (255.0 * (stored) - 128.0)
