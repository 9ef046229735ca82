// A row of a matrix in ELLPACK-R times a vector (Geveler et al. 2011, section 3.1): adds
//
//   sign * sum over k < rl[i] of A[i, k] * x[j[i, k]]
//
// to the running total. One term is in `tiles.glsl`.
//
//   ROW_LENGTH    entries of the longest row: upper bound of the loop, for the instruction counter
//   row_lengths   .x   rl: entries of each row
//
// EXCEPTION(constant-loops): in ELLPACK-R every row ends at its own length (CUDA, 2007)
uniform stream row_lengths;

void add_row(float sign) {
    vec2 p = here;
    float row_length = fetch(row_lengths, here).x;
    for (float k = 0.0; k < min(row_length, ROW_LENGTH); k += 1.0) {
        ADD_TERM(p, sign);
    }
}

#define ADD_ROW(sign) add_row(sign)
