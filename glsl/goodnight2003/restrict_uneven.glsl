// The sum of a restriction (Goodnight et al. 2003, section 4.1.4) from a grid whose last interval
// may be longer than the others: of four residuals along each axis, with the weights that
// interpolation gives them (after general.glsl and weight_uneven.glsl).
//
//   fine          .y    the finer grid's residual
//   fine_source   .xy   the finer level's corner
//   fine_size     .xy   its columns and rows
//   end           .xy   its last column and row, in its other intervals
uniform stream fine;
uniform vec2 fine_source;
uniform vec2 fine_size;
uniform vec2 end;

// The weight of a node, which may lie beyond an end.
float weight_within(float i, float coarse, vec2 nodes, float is_periodic, float end) {
    float inside = i > nodes.x - 0.5 ? 0.0 : weight(i, coarse, nodes, end);
    float periodic_or_zero = is_periodic > 0.0 ? weight(i, coarse, nodes, end) : 0.0;
    return i < -0.5 ? periodic_or_zero : inside;
}

// A node, which may lie beyond an end, within the grid.
float within(float i, float nodes, float is_periodic) {
    float before_first = is_periodic > 0.0 ? nodes - 2.0 : 0.0;
    return i < -0.5 ? before_first : min(i, nodes - 1.0);
}

// The node that a fragment computes.
vec2 own_node(vec2 fragment) {
    return vec2(node(fragment.x, size.x, periodic.x), node(fragment.y, size.y, periodic.y));
}

float restricted(vec2 node) {
    float column = node.x;
    float row = node.y;
    vec2 columns = vec2(fine_size.x, size.x);
    vec2 rows = vec2(fine_size.y, size.y);
    float sum = 0.0;
    for (float j = 0.0; j < 4.0; j += 1.0) {
        float y = 2.0 * row + j - 1.0;
        float line = 0.0;
        for (float i = 0.0; i < 4.0; i += 1.0) {
            float x = 2.0 * column + i - 1.0;
            float fine_x = fine_source.x + within(x, fine_size.x, periodic.x) + 0.5;
            float fine_y = fine_source.y + within(y, fine_size.y, periodic.y) + 0.5;
            line += weight_within(x, column, columns, periodic.x, end.x)
                * fetch(fine, vec2(fine_x, fine_y)).y;
        }
        sum += weight_within(y, row, rows, periodic.y, end.y) * line;
    }
    return sum;
}
