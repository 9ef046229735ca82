// A row of a matrix in ELLPACK-R times a vector (Geveler et al. 2011, section 3.1): adds
//
//   sign * sum over k < rl[i] of A[i, k] * x[j[i, k]]
//
// to what is computed. `tiles.glsl` holds a term.
//
//   ROW_LENGTH    entries of the longest row: the loop never runs longer, which tells whoever counts
//   row_lengths   .x   rl
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
