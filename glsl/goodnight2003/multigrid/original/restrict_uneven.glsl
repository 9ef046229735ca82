// The sum of a restriction from a grid whose last interval may be longer than the others: five residuals along each
// axis, with the weights of interpolation (Goodnight et al. 2003, section 4.1.4; needs general.glsl,
// weight_uneven.glsl and share.glsl).
//
//   fine          .y    the finer grid's residual
//   fine_source   .xy   the finer level's corner
//   fine_size     .xy   the finer level's columns and rows
//   end           .xy   the finer level's last column and row, in units of its other intervals
//
// STRIDED(fine): the finer grid has twice as many nodes per row
uniform stream fine;
uniform vec2 fine_source;
uniform vec2 fine_size;
uniform vec2 end;

// The node of a fragment.
vec2 own_node(vec2 fragment) {
    return vec2(NODE(fragment.x, size.x, periodic.x), NODE(fragment.y, size.y, periodic.y));
}

float restricted(vec2 node) {
    float column = node.x;
    float row = node.y;
    vec2 columns = vec2(fine_size.x, size.x);
    vec2 rows = vec2(fine_size.y, size.y);
    float sum = 0.0;
    for (float j = 0.0; j < 5.0; j += 1.0) {
        float y = 2.0 * row + j - 2.0;
        float line = 0.0;
        for (float i = 0.0; i < 5.0; i += 1.0) {
            float x = 2.0 * column + i - 2.0;
            float fine_x = fine_source.x + WITHIN(x, fine_size.x, periodic.x) + 0.5;
            float fine_y = fine_source.y + WITHIN(y, fine_size.y, periodic.y) + 0.5;
            line += SHARE(x, column, columns, periodic.x, end.x)
                * fetch(fine, vec2(fine_x, fine_y)).y;
        }
        sum += SHARE(y, row, rows, periodic.y, end.y) * line;
    }
    return sum;
}

#define OWN_NODE(fragment) own_node(fragment)
#define RESTRICTED(node) restricted(node)
