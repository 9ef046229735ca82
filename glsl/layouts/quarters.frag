// The product of a matrix with a vector in quarters, some diagonals per pass: the diagonals of Krueger and
// Westermann 2003 (sections 3.2 and 4.1) in fragstream's own layout.
//
// Channel c of texel t holds entry t + c q, where q is the number of texels. A diagonal then reads one texel,
// wherever it begins. (With four consecutive entries per texel it would read two.)
//
//   result[j] = before[j] +- sum over k of d_k[j] * x[(j + i_k) mod 4q]
//
// where d_k is the diagonal that starts at column i_k of the first row. Texel t + i_k may be beyond the last
// one; the sum then continues at the first texel, one channel further. The transpose has the same diagonals, each
// read where x is read: d_k[(j + i_k) mod 4q] for N - i_k, as in section 4.1 of the paper.
//
//   DIAGONALS    number of diagonals, 1 to 14
//   CONTINUED    defined if `before` is read
//   SUBTRACTED   defined if the products are subtracted from it
//   TRANSPOSED   defined for the transpose
//   STACKED      defined if several vectors are above each other in one texture
//   PATTERN      defined if all entries of a diagonal are one number or zero: d0 then has one bit per diagonal,
//                the lowest bit for the first one
//   INNER        defined if no diagonal reads beyond the first or the last texel; shifts may then be negative
//   x            .xyzw  the vector: entries t, t + q, t + 2q, t + 3q; several may be above each other
//   before       .xyzw  the sum so far, laid out like the result
//   d0           .xyzw  a diagonal, laid out like one vector; those from number DIAGONALS on are not read
//   d1          .xyzw  the same
//   d2          .xyzw  the same
//   d3          .xyzw  the same
//   d4          .xyzw  the same
//   d5          .xyzw  the same
//   d6          .xyzw  the same
//   d7          .xyzw  the same
//   d8          .xyzw  the same
//   d9          .xyzw  the same
//   d10         .xyzw  the same
//   d11         .xyzw  the same
//   d12         .xyzw  the same
//   d13         .xyzw  the same
//   size         .xy    columns and rows of one vector
//   first_row    .x     first row of the result's vector
//   shift0 ...   .xyz   i_k: columns and rows, in texels, and the rest in channels
//                .w     first row of x's vector, or the diagonal's number with PATTERN
//   result       .xyzw  the sum
//
// EXCEPTION(limits): four diagonals per pass fit if some read beyond the ends
//
// Cost: 242 instructions, 29 of them fetches, with DIAGONALS=14, CONTINUED=1
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

// This fragment's position within its vector, and the position in x for a position within a vector.
#ifdef STACKED
#define OWN (here - vec2(0.0, first_row))
#define X(p, shift) fetch(x, p + vec2(0.0, shift.w))
#else
#define OWN here
#define X(p, shift) fetch(x, p)
#endif

// The term of one diagonal; `bit` shifts its bit of the pattern behind the point.
#define REACHED(shift) X(reached(shift).xy, shift)
#ifdef PATTERN
#define DIAGONAL(d, bit, shift) (shift.w * step(0.5, fract(bit * pattern)) * turned(REACHED(shift), shift))
#else
#ifdef TRANSPOSED
#define DIAGONAL(d, bit, shift) turned(fetch(d, reached(shift).xy) * REACHED(shift), shift)
#else
#define DIAGONAL(d, bit, shift) (fetch(d, OWN) * turned(REACHED(shift), shift))
#endif
#endif

// The texel at this distance from here, and the number of channels by which x is rotated beyond the shift's.
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

// The channels of the texel there, rotated to those of this one.
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
#ifdef SUBTRACTED
    sum = -sum;
#endif
#ifdef CONTINUED
    sum += fetch(before, here);
#endif
    result = sum;
}
