// The product of a matrix with a vector whose entries lie in quarters, some diagonals at once: the diagonals
// of Krueger and Westermann 2003 (sections 3.2 and 4.1) in a layout of our own.
//
// Channel c of texel t holds entry t + c q, where q is the number of texels. A diagonal then reads one texel,
// wherever it begins; with four consecutive entries a texel it reads two:
//
//   result[j] = before[j] +- sum over k of d_k[j] * x[(j + i_k) mod 4q]
//
// where d_k is the diagonal that starts at column i_k of the first row. Texel t + i_k may lie beyond the last
// one: the sum begins again at the first texel, a channel later. The transpose has the same diagonals, each read
// where x is: d_k[(j + i_k) mod 4q] for N - i_k, as in section 4.1 of the paper.
//
//   DIAGONALS    how many diagonals, 1 to 14
//   CONTINUED    defined where there is something to add to
//   SUBTRACTED   defined where the products are subtracted from it
//   TRANSPOSED   defined for the transpose
//   STACKED      defined where some vectors lie above each other in a texture
//   INNER        defined where no diagonal reads beyond the first or the last texel: shifts may be negative
//   PATTERN      defined where each diagonal has one number beside zeros: which of them have it in an entry is
//                a number of so many bits, the first diagonal's the lowest. It is fetched once for all
//   x            .xyzw  the vector: entries t, t + q, t + 2q, t + 3q
//   before       .xyzw  what is added to, laid out like the result
//   d0           .xyzw  a diagonal, laid out like x, or the pattern; those from number DIAGONALS on are not read
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
//   size         .xy    columns and rows of a vector
//   first_row    .x     the first row of the result's vector, of those above each other
//   shift0 ...   .xyz   i_k: columns and rows, in texels, and the rest in channels
//                .w     the diagonal's number, where there is a pattern; or the first row of x's vector, of those
//                       above each other
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
uniform float first_row;
uniform vec4 shift0;
uniform vec4 shift1;
uniform vec4 shift2;
uniform vec4 shift3;
uniform vec4 shift4;
uniform vec4 shift5;
uniform vec4 shift6;
uniform vec4 shift7;
uniform vec4 shift8;
uniform vec4 shift9;
uniform vec4 shift10;
uniform vec4 shift11;
uniform vec4 shift12;
uniform vec4 shift13;

// Here in a diagonal, and the place of x that belongs to a place of one.
#ifdef STACKED
#define OWN (here - vec2(0.0, first_row))
#define IN_X(p, shift) (p + vec2(0.0, shift.w))
#else
#define OWN here
#define IN_X(p, shift) p
#endif

// What a diagonal adds. `halved` brings its bit of the pattern behind the point.
#define REACHED(shift) fetch(x, IN_X(reached(shift).xy, shift))
#ifdef PATTERN
#define DIAGONAL(d, halved, shift) (shift.w * step(0.5, fract(halved * pattern)) * turned(REACHED(shift), shift))
#else
#ifdef TRANSPOSED
#define DIAGONAL(d, halved, shift) turned(fetch(d, reached(shift).xy) * REACHED(shift), shift)
#else
#define DIAGONAL(d, halved, shift) (fetch(d, OWN) * turned(REACHED(shift), shift))
#endif
#endif

// So far from here: the texel, and by how many channels more those of x take turns.
vec3 reached(vec4 shift) {
    vec2 p = OWN + shift.xy;
    p += step(size.x, p.x) * vec2(-size.x, 1.0);
#ifdef INNER
    return vec3(p, 0.0);
#else
    float again = step(size.y, p.y);
    return vec3(p.x, p.y - again * size.y, again);
#endif
}

// The channels of what lies there, as they stand here.
vec4 turned(vec4 a, vec4 shift) {
#ifdef INNER
    return a;
#else
    float turn = shift.z + reached(shift).z;
    vec4 odd = fract(0.5 * turn) > 0.25 ? a.yzwx : a;
    return fract(0.25 * turn) > 0.375 ? odd.zwxy : odd;
#endif
}

void main() {
#ifdef PATTERN
    vec4 pattern = fetch(d0, OWN);
#endif
    vec4 sum = DIAGONAL(d0, 0.5, shift0);
#if DIAGONALS > 1
    sum += DIAGONAL(d1, 0.25, shift1);
#endif
#if DIAGONALS > 2
    sum += DIAGONAL(d2, 0.125, shift2);
#endif
#if DIAGONALS > 3
    sum += DIAGONAL(d3, 0.0625, shift3);
#endif
#if DIAGONALS > 4
    sum += DIAGONAL(d4, 0.03125, shift4);
#endif
#if DIAGONALS > 5
    sum += DIAGONAL(d5, 0.015625, shift5);
#endif
#if DIAGONALS > 6
    sum += DIAGONAL(d6, 0.0078125, shift6);
#endif
#if DIAGONALS > 7
    sum += DIAGONAL(d7, 0.00390625, shift7);
#endif
#if DIAGONALS > 8
    sum += DIAGONAL(d8, 0.001953125, shift8);
#endif
#if DIAGONALS > 9
    sum += DIAGONAL(d9, 0.0009765625, shift9);
#endif
#if DIAGONALS > 10
    sum += DIAGONAL(d10, 0.00048828125, shift10);
#endif
#if DIAGONALS > 11
    sum += DIAGONAL(d11, 0.000244140625, shift11);
#endif
#if DIAGONALS > 12
    sum += DIAGONAL(d12, 0.0001220703125, shift12);
#endif
#if DIAGONALS > 13
    sum += DIAGONAL(d13, 0.00006103515625, shift13);
#endif
#ifdef CONTINUED
#ifdef SUBTRACTED
    sum = -sum;
#endif
    sum += fetch(before, here);
#endif
    result = sum;
}
