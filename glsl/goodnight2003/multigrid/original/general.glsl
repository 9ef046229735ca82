// Positions of nodes for the general programs, which run at all nodes, including those on periodic sides (Goodnight
// et al. 2003, section 4.2). Columns and rows are counted from 0.
//
// A replica is computed like its original, from the same texels. If it were computed from the replicas around it,
// the two would differ by a rounding error, and the difference would grow.
//
//   target     .xy   the level's corner in the target
//   source     .xy   the corner of the level that is read
//   map        .xy   the level's corner in the maps
//   size       .xy   columns and rows
//   periodic   .xy   1 if the last column (row) is a replica of the first
uniform vec2 target;
uniform vec2 source;
uniform vec2 map;
uniform vec2 size;
uniform vec2 periodic;

// The node of a fragment: i, counted from 0, or its original if i is a replica.
float node(float i, float nodes, float is_periodic) {
    float last = is_periodic > 0.0 ? 0.0 : i;
    return i > nodes - 1.5 ? last : i;
}

// The node before i; i itself at an end.
float before(float i, float nodes, float is_periodic) {
    float end = is_periodic > 0.0 ? nodes - 2.0 : i;
    return i < 0.5 ? end : i - 1.0;
}

// The node behind i; i itself at an end.
float behind(float i, float nodes) {
    return i > nodes - 1.5 ? i : i + 1.0;
}

// The four neighbours of a node: U to the west, east, south and north.
vec4 neighbours(stream state, float column, float row) {
    float x = source.x + column + 0.5;
    float y = source.y + row + 0.5;
    float west = source.x + before(column, size.x, periodic.x) + 0.5;
    float east = source.x + behind(column, size.x) + 0.5;
    float south = source.y + before(row, size.y, periodic.y) + 0.5;
    float north = source.y + behind(row, size.y) + 0.5;
    return vec4(fetch(state, vec2(west, y)).x, fetch(state, vec2(east, y)).x,
                fetch(state, vec2(x, south)).x, fetch(state, vec2(x, north)).x);
}

#define NODE(i, nodes, is_periodic) node(i, nodes, is_periodic)
#define BEFORE(i, nodes, is_periodic) before(i, nodes, is_periodic)
#define BEHIND(i, nodes) behind(i, nodes)
#define NEIGHBOURS(state, column, row) neighbours(state, column, row)
