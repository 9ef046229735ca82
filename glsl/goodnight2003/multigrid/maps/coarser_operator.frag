// The operator of a coarser level, from that of the next finer one (Goodnight et al. 2003, section 4.1.1).
//
//   A = sum of share (h / H)^2 a   over the finer faces in the coarser one's interval
//
// where h and H are the intervals across which a and A couple nodes, and the share is that of the finer row (or
// column) in the coarser one. A correction then has at least as much energy on the coarser level as its
// interpolation has on the finer one, so that it is never too long. Constant coefficients are unchanged.
//
//   fine        .xyzw  the finer level's W, E, S, N; its corner is the source
//   fine_size   .xy    the finer level's columns and rows
//   end         .xy    the finer level's last column and row, in units of its other intervals
//   result      .xyzw  W, E, S, N
//
// STRIDED(fine): the finer level has twice as many nodes per row
//
// NODE, BEFORE: general.glsl; SHARE, WITHIN: share.glsl and weight_uneven.glsl
// Cost: 921 instructions, 60 of them fetches, with general weight_uneven share
uniform stream fine;
uniform vec2 fine_size;
uniform vec2 end;

// The finer node's share of the interval behind a coarser node.
float part(float i, float coarse, vec2 nodes, float last) {
    float start = i > nodes.x - 1.5 ? last : i;
    float stop = i > nodes.x - 2.5 ? last : i + 1.0;
    float behind = coarse > nodes.y - 2.5 ? last : 2.0 * coarse + 2.0;
    return stop > behind ? 0.0 : (stop - start) / (behind - 2.0 * coarse);
}

// The coefficient across the coarser face to the east.
float across(float column, float row) {
    float sum = 0.0;
    for (float j = 0.0; j < 5.0; j += 1.0) {
        float y = 2.0 * row + j - 2.0;
        float at_y = source.y + WITHIN(y, fine_size.y, periodic.y) + 0.5;
        float line = 0.0;
        for (float i = 0.0; i < 3.0; i += 1.0) {
            float x = 2.0 * column + i;
            float at_x = source.x + min(x, fine_size.x - 1.0) + 0.5;
            float of_face = part(x, column, vec2(fine_size.x, size.x), end.x);
            line += of_face * of_face * fetch(fine, vec2(at_x, at_y)).y;
        }
        sum += SHARE(y, row, vec2(fine_size.y, size.y), periodic.y, end.y) * line;
    }
    return sum;
}

// The coefficient across the coarser face to the north.
float along(float column, float row) {
    float sum = 0.0;
    for (float i = 0.0; i < 5.0; i += 1.0) {
        float x = 2.0 * column + i - 2.0;
        float at_x = source.x + WITHIN(x, fine_size.x, periodic.x) + 0.5;
        float line = 0.0;
        for (float j = 0.0; j < 3.0; j += 1.0) {
            float y = 2.0 * row + j;
            float at_y = source.y + min(y, fine_size.y - 1.0) + 0.5;
            float of_face = part(y, row, vec2(fine_size.y, size.y), end.y);
            line += of_face * of_face * fetch(fine, vec2(at_x, at_y)).w;
        }
        sum += SHARE(x, column, vec2(fine_size.x, size.x), periodic.x, end.x) * line;
    }
    return sum;
}

// 1 if a node has a face before it, and behind it. There is no face between a node and itself.
vec2 faces(float node, float nodes, float is_periodic) {
    float round_the_end = nodes > 2.5 ? is_periodic : 0.0;
    float inner = 1.0 - is_periodic + round_the_end;
    return vec2(node > 0.5 ? inner : round_the_end, node > nodes - 1.5 ? 0.0 : inner);
}

void main() {
    float column = NODE(floor(here.x - target.x), size.x, periodic.x);
    float row = NODE(floor(here.y - target.y), size.y, periodic.y);
    vec2 beside = faces(column, size.x, periodic.x);
    vec2 above = faces(row, size.y, periodic.y);
    float west = beside.x > 0.5 ? across(BEFORE(column, size.x, periodic.x), row) : 0.0;
    float east = beside.y > 0.5 ? across(column, row) : 0.0;
    float south = above.x > 0.5 ? along(column, BEFORE(row, size.y, periodic.y)) : 0.0;
    float north = above.y > 0.5 ? along(column, row) : 0.0;
    result = vec4(west, east, south, north);
}
