// The source with boundary conditions folded in (Goodnight et al. 2003, section 4.2): minus the inflow that does
// not depend on U, or the prescribed value.
//
//   F - s gamma / beta;   -gamma / alpha   if beta = 0
//
//   state          .xyz    U, residual, F
//   boundary_map   .xyzw   alpha, beta, gamma, s; zero inside
//   target         .xy     the level's corner in the target
//   source, map    .xy     the level's corner in the state that is read, and in the maps
//   result         .xyzw   U, residual, F of the folded equation, 0
//
// CONDITION, IS_HELD, INFLOW: condition.glsl
// Cost: 18 instructions, 2 of them fetches, with condition
uniform stream state;
uniform vec2 target;
uniform vec2 source;
uniform vec2 map;

void main() {
    vec4 centre = fetch(state, here - target + source);
    vec4 condition = CONDITION(here - target + map);
    float f = IS_HELD(condition) ? -condition.z / condition.x : centre.z - INFLOW(condition);
    result = vec4(centre.xy, f, 0.0);
}
