// The sum of a restriction (Goodnight et al. 2003, section 4.1.4), as it is first written: the
// residual of nine nodes of the finer grid with the weights that interpolation gives them (after
// general.glsl and weight.glsl).
//
//   fine          .y    its residual
//   fine_source   .xy   the finer level's corner
//   fine_size     .xy   its columns and rows
//   last_weight   .xy   the weights of its last odd column and row
uniform stream fine;
uniform vec2 fine_source;
uniform vec2 fine_size;
uniform vec2 last_weight;

// The finer grid's number of coarse node i.
float center_of(float i, float nodes) {
    return min(2.0 * i, nodes - 1.0);
}

// The weight of the node before the fine node i that coarse node j is; none before the last one,
// if that is odd.
float weight_before(float i, float j, float nodes, float is_periodic, float last) {
    float neighbour = before(i, nodes, is_periodic);
    float inside = 2.0 * j > nodes - 0.5 ? 0.0 : weight(neighbour, nodes, last);
    return neighbour == i ? 0.0 : inside;
}

float weight_behind(float i, float nodes, float is_periodic, float last) {
    float neighbour = behind(i, nodes, is_periodic);
    return neighbour == i ? 0.0 : 1.0 - weight(neighbour, nodes, last);
}

float fine_residual(float column, float row) {
    return fetch(fine, vec2(fine_source.x + column + 0.5, fine_source.y + row + 0.5)).y;
}

float restricted(float column, float row) {
    float x = center_of(column, fine_size.x);
    float y = center_of(row, fine_size.y);
    float west = before(x, fine_size.x, periodic.x);
    float east = behind(x, fine_size.x, periodic.x);
    float south = before(y, fine_size.y, periodic.y);
    float north = behind(y, fine_size.y, periodic.y);
    float west_weight = weight_before(x, column, fine_size.x, periodic.x, last_weight.x);
    float east_weight = weight_behind(x, fine_size.x, periodic.x, last_weight.x);
    float south_weight = weight_before(y, row, fine_size.y, periodic.y, last_weight.y);
    float north_weight = weight_behind(y, fine_size.y, periodic.y, last_weight.y);
    float below = west_weight * fine_residual(west, south) + fine_residual(x, south)
        + east_weight * fine_residual(east, south);
    float beside = west_weight * fine_residual(west, y) + fine_residual(x, y)
        + east_weight * fine_residual(east, y);
    float above = west_weight * fine_residual(west, north) + fine_residual(x, north)
        + east_weight * fine_residual(east, north);
    return south_weight * below + beside + north_weight * above;
}
