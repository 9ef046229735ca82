// The matrix as one large texture (Batty, Wiebe, Houston 2003, Appendix C, step 9): the seven texels
// that belong to a texel of the vector follow each other in its row, so that a cache line may hold
// several. The paper does not give the order of its entries; here rows are seven times as long as the vector's.
//
//   mat   .xyzw  entries of four cells, one texel each for the neighbours at -z, -y, -x, for the cells
//                themselves, and for the neighbours at +x, +y, +z; then the next four cells
uniform stream mat;

// The first of a texel's seven texels has its centre at 7 (x - 1/2) + 1/2.
#define ENTRY(number) MEANT(fetch(mat, vec2(7.0 * here.x - 3.0 + number, here.y)))
#define Z_BEFORE ENTRY(0.0)
#define Y_BEFORE ENTRY(1.0)
#define X_BEFORE ENTRY(2.0)
#define CENTRE ENTRY(3.0)
#define X_AFTER ENTRY(4.0)
#define Y_AFTER ENTRY(5.0)
#define Z_AFTER ENTRY(6.0)
