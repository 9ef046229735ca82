// Distances built by every fragment anew, (texels, texels / width) from texels, as the program did
// before step 3 of Appendix C (Batty, Wiebe, Houston 2003).
#define OFFSET(given) vec2((given).x, (given).x * inv_width)
