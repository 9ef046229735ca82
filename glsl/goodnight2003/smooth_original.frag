// Half a red-black sweep, or a sweep of Jacobi (Goodnight et al. 2003, section 4.1.2), as it is
// first written: every fragment works out its column and row, its neighbours, its colour (after
// general.glsl and condition.glsl).
//
//   U = (sum over k of a_k U_k + s gamma / beta - F) / (sum over k of a_k + s alpha / beta)
//   U = gamma / alpha   where beta = 0
//
//   state          .xyz    U, residual, F
//   operator_map   .xyzw   a_k: west, east, south, north
//   boundary_map   .xyzw   alpha, beta, gamma, s; zero inside
//   colours        .xy     1 if red nodes get new values, and if black ones do
//   result         .xyzw   new U (old at nodes of the other colour), residual, F, 0
uniform stream state;
uniform stream operator_map;
uniform stream boundary_map;
uniform vec2 colours;

// Column or row as its colour counts it: a replica has its original's.
float counted(float i, float nodes, float is_periodic) {
    float last = is_periodic > 0.0 ? 0.0 : i;
    return i > nodes - 1.5 ? last : i;
}

void main() {
    float column = floor(here.x - target.x);
    float row = floor(here.y - target.y);
    float x = source.x + column + 0.5;
    float y = source.y + row + 0.5;
    float west_x = source.x + before(column, size.x, periodic.x) + 0.5;
    float east_x = source.x + behind(column, size.x, periodic.x) + 0.5;
    float south_y = source.y + before(row, size.y, periodic.y) + 0.5;
    float north_y = source.y + behind(row, size.y, periodic.y) + 0.5;
    vec4 center = fetch(state, vec2(x, y));
    float west = fetch(state, vec2(west_x, y)).x;
    float east = fetch(state, vec2(east_x, y)).x;
    float south = fetch(state, vec2(x, south_y)).x;
    float north = fetch(state, vec2(x, north_y)).x;
    vec2 at_map = vec2(map.x + column + 0.5, map.y + row + 0.5);
    vec4 a = fetch(operator_map, at_map);
    vec4 condition = fetch(boundary_map, at_map);

    float flow = a.x * west + a.y * east + a.z * south + a.w * north;
    float diagonal = a.x + a.y + a.z + a.w;
    float free = (flow + inflow(condition) - center.z) / (diagonal + leak(condition));
    float value = is_held(condition) ? condition.z / condition.x : free;

    float place = counted(column, size.x, periodic.x) + counted(row, size.y, periodic.y);
    bool is_red = fract(0.5 * place) < 0.25;
    float is_chosen = is_red ? colours.x : colours.y;
    result = vec4(is_chosen > 0.0 ? value : center.x, center.y, center.z, 0.0);
}
