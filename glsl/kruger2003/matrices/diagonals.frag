// The product of a banded matrix with a vector, several diagonals per pass (Krueger and Westermann 2003,
// sections 3.2 and 4.1).
//
//   result[j] = before[j] + sum over k of d_k[j] * x[(j + i_k) mod N]
//
// where d_k is the diagonal that starts at column i_k of the first row, and N the number of entries that a texture
// has room for. The sum j + i is computed in two digits, row and column, because a float cannot count far enough.
// N fills complete rows, so that only the row needs the remainder. The paper's three steps (index from position,
// remainder, position from index) therefore need no division.
//
//   DIAGONALS    number of diagonals, 1 to 10
//   CONTINUED    defined if there is a sum from an earlier pass
//   TRANSPOSED   defined for the transpose: result[j] = sum of d_k[j'] x[j'], j' = (j - i_k) mod N
//   UNALIGNED    defined if some i_k does not start at a record (four entries per record)
//   x            .xyzw  the vector: one entry per record, or four consecutive ones
//   before       .xyzw  the sum so far
//   d0           .xyzw  a diagonal, laid out like x; those from number DIAGONALS on are not read
//   d1           .xyzw  the same
//   d2           .xyzw  the same
//   d3           .xyzw  the same
//   d4           .xyzw  the same
//   d5           .xyzw  the same
//   d6           .xyzw  the same
//   d7           .xyzw  the same
//   d8           .xyzw  the same
//   d9           .xyzw  the same
//   size         .xy    columns and rows of x
//   shift0 ...   .xyz   i_k: columns and rows, in records, and the rest in entries (-i_k for the
//                       transpose)
//   result       .xyzw  the sum
//
// EXCEPTION(limits): two diagonals per pass fit if they do not start at a record; all ten fit otherwise
//
// Cost: 83 instructions, 21 of them fetches, with DIAGONALS=10, CONTINUED=1
uniform stream x;
uniform stream before;
uniform stream d0;
uniform stream d1;
uniform stream d2;
uniform stream d3;
uniform stream d4;
uniform stream d5;
uniform stream d6;
uniform stream d7;
uniform stream d8;
uniform stream d9;
uniform vec2 size;
uniform vec3 shift0;
uniform vec3 shift1;
uniform vec3 shift2;
uniform vec3 shift3;
uniform vec3 shift4;
uniform vec3 shift5;
uniform vec3 shift6;
uniform vec3 shift7;
uniform vec3 shift8;
uniform vec3 shift9;

// The record at this distance after p.
vec2 after(vec2 p, vec2 shift) {
    vec2 q = p + shift;
    vec2 next = q + vec2(-size.x, 1.0);
    q = next.x > 0.0 ? next : q;
    float again = q.y - size.y;
    q.y = again > 0.0 ? again : q.y;
    return q;
}

// The factor that is read at another position than this fragment's.
vec4 elsewhere(stream d, vec2 p) {
#ifdef TRANSPOSED
    return fetch(d, p) * fetch(x, p);
#else
    return fetch(x, p);
#endif
}

// The factor there, starting at entry shift.z of a record.
vec4 shifted(stream d, vec3 shift) {
    vec2 p = after(here, shift.xy);
    vec4 a = elsewhere(d, p);
#ifdef UNALIGNED
    vec4 b = elsewhere(d, after(p, vec2(1.0, 0.0)));
    vec4 low = shift.z < 0.5 ? a : vec4(a.yzw, b.x);
    vec4 high = shift.z < 2.5 ? vec4(a.zw, b.xy) : vec4(a.w, b.xyz);
    return shift.z < 1.5 ? low : high;
#else
    return a;
#endif
}

vec4 term(stream d, vec3 shift) {
#ifdef TRANSPOSED
    return shifted(d, shift);
#else
    return fetch(d, here) * shifted(d, shift);
#endif
}

void main() {
    vec4 sum = term(d0, shift0);
#ifdef CONTINUED
    sum += fetch(before, here);
#endif
#if DIAGONALS > 1
    sum += term(d1, shift1);
#endif
#if DIAGONALS > 2
    sum += term(d2, shift2);
#endif
#if DIAGONALS > 3
    sum += term(d3, shift3);
#endif
#if DIAGONALS > 4
    sum += term(d4, shift4);
#endif
#if DIAGONALS > 5
    sum += term(d5, shift5);
#endif
#if DIAGONALS > 6
    sum += term(d6, shift6);
#endif
#if DIAGONALS > 7
    sum += term(d7, shift7);
#endif
#if DIAGONALS > 8
    sum += term(d8, shift8);
#endif
#if DIAGONALS > 9
    sum += term(d9, shift9);
#endif
    result = sum;
}
