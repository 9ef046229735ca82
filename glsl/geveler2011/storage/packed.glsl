// An entry of a matrix in one texel (not in Geveler et al. 2011, where A and j are two arrays).
//
//   matrix   .xyzw  high and low part of A[i, k], and the position of x[j[i, k]] in x
uniform stream matrix;

vec4 entry(vec2 p) {
    return fetch(matrix, p);
}

#define ENTRY(p) entry(p)
