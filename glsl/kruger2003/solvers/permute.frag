// Permutes the entries of a vector (Krueger and Westermann 2003, section 7: the row exchanges of pivoting).
//
//   result[i] = x[places[i]]
//
//   x        .x    the vector, one entry per record
//   places   .xy   a pointer to a record of x
//   result   .x    the vector in the other order
//
// RANDOM(x): any position that a pointer gives
//
// Cost: 2 instructions, 2 of them fetches
uniform stream x;
uniform stream places;

void main() {
    result = fetch(x, fetch(places, here).xy);
}
