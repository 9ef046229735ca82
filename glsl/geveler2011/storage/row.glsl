// A row of a matrix in ELLPACK times a vector (Geveler et al. 2011, section 3.1): adds
//
//   sign * sum over k < ROW_LENGTH of A[i, k] * x[j[i, k]]
//
// to the running total. Shorter rows are padded with zeros that point anywhere, so that all rows take the
// same number of steps, as a program of 2003 had to. One term is in `tiles.glsl`.
//
//   ROW_LENGTH   entries of the longest row
void add_row(float sign) {
    vec2 p = here;
    for (float k = 0.0; k < ROW_LENGTH; k += 1.0) {
        ADD_TERM(p, sign);
    }
}

#define ADD_ROW(sign) add_row(sign)
