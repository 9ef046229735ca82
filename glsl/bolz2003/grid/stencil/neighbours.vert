// Positions of a texel and its eight neighbours, so that programs for inner texels need not compute them
// (Bolz et al. 2003, section 4.2, matrix-vector multiply). In the names, m is -1, p is +1, and 0 the texel's own.
//
//   corners   .xyzw   out: column and row m, column and row p
//   rows      .xyzw   out: column and row 0, row m, row p
//   columns   .xyz    out: column m, column p, row 0
out vec4 corners;
out vec4 rows;
out vec3 columns;

void main() {
    gl_Position = placed;
    corners = corner.xyxy + vec4(-1.0, -1.0, 1.0, 1.0);
    rows = corner.xyyy + vec4(0.0, 0.0, -1.0, 1.0);
    columns = corner.xxy + vec3(-1.0, 1.0, 0.0);
}
