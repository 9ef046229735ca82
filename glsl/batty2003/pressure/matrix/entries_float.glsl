// Entries of the matrix as they are stored: floats.
#define MEANT(stored) stored
