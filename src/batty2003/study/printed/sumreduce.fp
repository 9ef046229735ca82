!!FP1.0
# sumreduce.cg, as Batty et al. 2003 print it (Appendix B), without the compiler's comments.
# The transcription has `-(0.5).x` for `-{0.5}.x`.
ADDR R0.xy, f[TEX0].xyxx, -{0.5}.x;
MADR R0.xy, {2}.x, R0.xyxx, {0.5}.x;
ADDR R1.xy, R0.xyxx, {1, 0}.xyxx;
TEX R1, R1.xyxx, TEX0, RECT;
TEX R2, R0.xyxx, TEX0, RECT;
ADDR R1, R2, R1;
ADDR R2.xy, R0.xyxx, {0, 1}.xyxx;
TEX R2, R2.xyxx, TEX0, RECT;
ADDR R2, R1, R2;
ADDR R0.xy, R0.xyxx, {1, 1}.xyxx;
TEX R0, R0.xyxx, TEX0, RECT;
ADDR o[COLR], R2, R0;
END
