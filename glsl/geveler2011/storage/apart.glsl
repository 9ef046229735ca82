// An entry of a matrix from two arrays, as printed (Geveler et al. 2011, section 3.1).
//
//   values    .xy   A: high and low part of A[i, k]
//   columns   .xy   j: the position of x[j[i, k]] in x
uniform stream values;
uniform stream columns;

vec4 entry(vec2 p) {
    return vec4(fetch(values, p).xy, fetch(columns, p).xy);
}

#define ENTRY(p) entry(p)
