// The diagonal preconditioner, the table's "Vector Precondition" (Batty, Wiebe, Houston 2003, section
// Preconditioned Conjugate Gradient Method): the residual times the inverse of the matrix's diagonal,
// cell by cell.
//
//   result = r / diagonal;   0 where there is no liquid
//
//   inverse   .xyzw  1 / diagonal of four cells, zero outside the liquid
//   r         .xyzw  the residual
//   result    .xyzw  the residual, preconditioned
//
// Cost: 3 instructions, 2 of them fetches
uniform stream inverse;
uniform stream r;

void main() {
    result = fetch(inverse, here) * fetch(r, here);
}
