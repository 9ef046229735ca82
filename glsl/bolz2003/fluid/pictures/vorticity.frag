// The vorticity, for pictures and measurements (Bolz et al. 2003, section 4.1, Fig. 5): central differences,
// one-sided at the sides of the domain.
//
//   result[i] = d velocity_y / dx - d velocity_x / dy
//
//   velocity   .xy   one node per texel
//   last       .xy   number of the last column and row
//   result     .x    positive where the fluid turns counter-clockwise: twice the rotation in radians per unit of time
//
// Cost: 22 instructions, 4 of them fetches
uniform stream velocity;
uniform vec2 last;

void main() {
    vec2 m = max(here - 1.0, vec2(0.5));
    vec2 p = min(here + 1.0, last + 0.5);
    float along_x = fetch(velocity, vec2(p.x, here.y)).y - fetch(velocity, vec2(m.x, here.y)).y;
    float along_y = fetch(velocity, vec2(here.x, p.y)).x - fetch(velocity, vec2(here.x, m.y)).x;
    result = vec4(along_x / (p.x - m.x) - along_y / (p.y - m.y));
}
