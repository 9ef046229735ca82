// The product of a matrix with a vector whose entries lie in quarters, some diagonals at once: the diagonals
// of Krueger and Westermann 2003 (sections 3.2 and 4.1) in a layout of our own.
//
// Channel c of texel t holds entry t + c q, where q is the number of texels. A diagonal then reads one texel,
// wherever it begins; with four consecutive entries a texel it reads two:
//
//   result[j] = before[j] + sum over k of d_k[j] * x[(j + i_k) mod 4q]
//
// where d_k is the diagonal that starts at column i_k of the first row. Texel t + i_k may lie beyond the last
// one: the sum begins again at the first texel, a channel later.
//
//   DIAGONALS    how many diagonals, 1 to 14
//   CONTINUED    defined where there is something to add to
//   INNER        defined where no diagonal reads beyond the first or the last texel: shifts may be negative
//   x            .xyzw  the vector: entries t, t + q, t + 2q, t + 3q
//   before       .xyzw  what is added to, laid out like x
//   d0           .xyzw  a diagonal, laid out like x; those from number DIAGONALS on are not read
//   d1           .xyzw  likewise
//   d2           .xyzw  likewise
//   d3           .xyzw  likewise
//   d4           .xyzw  likewise
//   d5           .xyzw  likewise
//   d6           .xyzw  likewise
//   d7           .xyzw  likewise
//   d8           .xyzw  likewise
//   d9           .xyzw  likewise
//   d10          .xyzw  likewise
//   d11          .xyzw  likewise
//   d12          .xyzw  likewise
//   d13          .xyzw  likewise
//   size         .xy    columns and rows of x
//   shift0 ...   .xyz   i_k: columns and rows, in texels, and the rest in channels
//   result       .xyzw  the sum
//
// EXCEPTION(limits): four diagonals a pass fit where some read beyond the ends
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
uniform stream d10;
uniform stream d11;
uniform stream d12;
uniform stream d13;
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
uniform vec3 shift10;
uniform vec3 shift11;
uniform vec3 shift12;
uniform vec3 shift13;

// The entries so far from those here.
vec4 shifted(vec3 shift) {
    vec2 p = here + shift.xy;
    p += step(size.x, p.x) * vec2(-size.x, 1.0);
#ifdef INNER
    return fetch(x, p);
#else
    float again = step(size.y, p.y);
    p.y -= again * size.y;
    float turn = shift.z + again;
    vec4 a = fetch(x, p);
    vec4 odd = fract(0.5 * turn) > 0.25 ? a.yzwx : a;
    return fract(0.25 * turn) > 0.375 ? odd.zwxy : odd;
#endif
}

void main() {
    vec4 sum = fetch(d0, here) * shifted(shift0);
#ifdef CONTINUED
    sum += fetch(before, here);
#endif
#if DIAGONALS > 1
    sum += fetch(d1, here) * shifted(shift1);
#endif
#if DIAGONALS > 2
    sum += fetch(d2, here) * shifted(shift2);
#endif
#if DIAGONALS > 3
    sum += fetch(d3, here) * shifted(shift3);
#endif
#if DIAGONALS > 4
    sum += fetch(d4, here) * shifted(shift4);
#endif
#if DIAGONALS > 5
    sum += fetch(d5, here) * shifted(shift5);
#endif
#if DIAGONALS > 6
    sum += fetch(d6, here) * shifted(shift6);
#endif
#if DIAGONALS > 7
    sum += fetch(d7, here) * shifted(shift7);
#endif
#if DIAGONALS > 8
    sum += fetch(d8, here) * shifted(shift8);
#endif
#if DIAGONALS > 9
    sum += fetch(d9, here) * shifted(shift9);
#endif
#if DIAGONALS > 10
    sum += fetch(d10, here) * shifted(shift10);
#endif
#if DIAGONALS > 11
    sum += fetch(d11, here) * shifted(shift11);
#endif
#if DIAGONALS > 12
    sum += fetch(d12, here) * shifted(shift12);
#endif
#if DIAGONALS > 13
    sum += fetch(d13, here) * shifted(shift13);
#endif
    result = sum;
}
