// Entries of the matrix as they are stored: floats (Batty, Wiebe, Houston 2003, before step 1 of Appendix C).
#define MEANT(stored) stored
