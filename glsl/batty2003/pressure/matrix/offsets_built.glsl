// Distances computed again by every fragment, (texels, texels / width) from texels, as in the program before
// step 3 of Appendix C (Batty, Wiebe, Houston 2003).
#define OFFSET(given) vec2((given).x, (given).x * inv_width)
