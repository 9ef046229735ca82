// Half a red-black sweep, or a sweep of Jacobi (Goodnight et al. 2003, section 4.1.2), as it is
// first written: every fragment works out its column and row and its neighbours (after
// general.glsl, condition.glsl and relaxed_*.glsl).
//
//   U = (sum over k of a_k U_k + s gamma / beta - F) / (sum over k of a_k + s alpha / beta)
//   U = gamma / alpha   where beta = 0
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   boundary_map   .xyzw   alpha, beta, gamma, s; zero inside
//   result         .xyzw   what is left of U, residual, F, 0
uniform stream state;
uniform stream operator_map;
uniform stream boundary_map;

void main() {
    float column = node(floor(here.x - target.x), size.x, periodic.x);
    float row = node(floor(here.y - target.y), size.y, periodic.y);
    float x = source.x + column + 0.5;
    float y = source.y + row + 0.5;
    float west_x = source.x + before(column, size.x, periodic.x) + 0.5;
    float east_x = source.x + behind(column, size.x) + 0.5;
    float south_y = source.y + before(row, size.y, periodic.y) + 0.5;
    float north_y = source.y + behind(row, size.y) + 0.5;
    vec4 center = fetch(state, vec2(x, y));
    float west = fetch(state, vec2(west_x, y)).x;
    float east = fetch(state, vec2(east_x, y)).x;
    float south = fetch(state, vec2(x, south_y)).x;
    float north = fetch(state, vec2(x, north_y)).x;
    vec2 at_map = vec2(map.x + column + 0.5, map.y + row + 0.5);
    vec4 a = fetch(operator_map, at_map);
    vec4 condition = fetch(boundary_map, at_map);

    float flow = a.x * west + a.y * east + a.z * south + a.w * north;
    float value = solved(flow, center.z, a, condition);
    float u = relaxed(center.x, value, vec2(column, row), at_map);
    result = vec4(u, center.y, center.z, 0.0);
}
