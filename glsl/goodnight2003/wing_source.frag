// The source of the Poisson equation (Goodnight et al. 2003, eq. 6; after wing_grid.glsl).
//
//   F = -V (zeta + 2 theta'),   V the volume of a node, half as large in the first and last column
//
// 2 theta' is what the potential flows stand for: the fluid far away, seen from the turning wing.
//
//   state       .xyzw  the solver's: solution, residual, source, nothing
//   vorticity   .x     zeta
//   nodes       .z     h1 h2
//   cell        .x     dxi deta
//   turn        .x     2 theta'
//   result      .xyzw  as state
uniform stream state;
uniform stream vorticity;
uniform stream nodes;
uniform float cell;
uniform float turn;

void main() {
    float share = here.x < 1.0 || here.x > size.x - 1.0 ? 0.5 : 1.0;
    float volume = fetch(nodes, here).z * cell;
    float source = -(share * volume) * (fetch(vorticity, here).x + turn);
    result = vec4(fetch(state, here).x, 0.0, source, 0.0);
}
