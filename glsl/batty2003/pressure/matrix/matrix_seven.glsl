// The matrix as seven textures, one for each diagonal, laid out like the vector (Batty, Wiebe, Houston
// 2003, section GPU Algorithm Implementation). The numbers are those of the listing (with an
// underscore, because mat2, mat3 and mat4 are types in GLSL).
//
//   mat_0   .xyzw  entries of four cells, for their neighbours at -z
//   mat_1   .xyzw  at -y
//   mat_2   .xyzw  at -x
//   mat_3   .xyzw  for the cells themselves
//   mat_4   .xyzw  at +x
//   mat_5   .xyzw  at +y
//   mat_6   .xyzw  at +z
uniform stream mat_0;
uniform stream mat_1;
uniform stream mat_2;
uniform stream mat_3;
uniform stream mat_4;
uniform stream mat_5;
uniform stream mat_6;

#define Z_BEFORE MEANT(fetch(mat_0, here))
#define Y_BEFORE MEANT(fetch(mat_1, here))
#define X_BEFORE MEANT(fetch(mat_2, here))
#define CENTRE MEANT(fetch(mat_3, here))
#define X_AFTER MEANT(fetch(mat_4, here))
#define Y_AFTER MEANT(fetch(mat_5, here))
#define Z_AFTER MEANT(fetch(mat_6, here))
