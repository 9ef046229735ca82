// A vector with its entries in another order (Krueger and Westermann 2003, section 7: the exchange
// of rows that pivoting asks for).
//
//   result[i] = x[places[i]]
//
//   x        .x    the vector, one entry a record
//   places   .xy   a pointer to a record of x
//   result   .x    the vector in the other order
//
// RANDOM(x): wherever the pointers lead
uniform stream x;
uniform stream places;

void main() {
    result = fetch(x, fetch(places, here).xy);
}
