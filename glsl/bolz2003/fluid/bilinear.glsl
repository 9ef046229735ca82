// Prepended to programs that read between the nodes of a plain grid: float textures have no filter, so the
// interpolation is written out (Bolz et al. 2003, section 4.3).
//
//   extent           .xy   number of the last column and row; node i is at i + 0.5
//   INSIDE(p)        p, clamped to the domain
//   BILINEAR(s, p)   the bilinear interpolation of stream s at a point p inside
uniform vec2 extent;

// The lower left node of the cell that p is in; at the last column (row), that of the last cell.
vec2 lower(vec2 p) {
    return min(floor(p - 0.5), extent - 1.0) + 0.5;
}
#define INSIDE(p) clamp(p, vec2(0.5), extent + 0.5)
#define CORNER(s, p, x, y) fetch(s, lower(p) + vec2(x, y))
#define BESIDE(s, p, y) mix(CORNER(s, p, 0.0, y), CORNER(s, p, 1.0, y), (p).x - lower(p).x)
#define BILINEAR(s, p) mix(BESIDE(s, p, 0.0), BESIDE(s, p, 1.0), (p).y - lower(p).y)
