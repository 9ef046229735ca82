// The source of the Poisson equation (Goodnight et al. 2003, section 5.3, eq. 6).
//
//   F = -V (zeta + 2 theta') inside, where V is the volume of a node;   0 in the first and in the last column
//
// The potential flows account for -2 theta': the vorticity of the fluid far away, seen from the turning wing. The
// vorticity that has left the last inner volumes no longer counts.
//
//   state       .xyzw  the solver's state: solution, residual, source, 0
//   vorticity   .x     zeta
//   nodes       .z     h1 h2
//   cell        .x     dxi deta
//   turn        .x     2 theta'
//   result      .xyzw  solution, 0, F, 0
//
// size: grid.glsl
// Cost: 13 instructions, 3 of them fetches, with grid
uniform stream state;
uniform stream vorticity;
uniform stream nodes;
uniform float cell;
uniform float turn;

void main() {
    float volume = fetch(nodes, here).z * cell;
    float source = -volume * (fetch(vorticity, here).x + turn);
    bool inside = here.x > 1.0 && here.x < size.x - 1.0;
    result = vec4(fetch(state, here).x, 0.0, inside ? source : 0.0, 0.0);
}
