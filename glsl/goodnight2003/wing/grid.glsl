// Put in front of the programs of the flapping wing (Goodnight et al. 2003, section 5.3): nodes
// next to a node. Columns lie along xi, from the body outwards, rows along eta, round it; the
// last row is a replica of the first.
//
//   size         .xy   columns and rows
//   NODE(step)         the texel so many nodes on: beyond the ends of xi the last one
uniform vec2 size;

vec2 node(vec2 step) {
    vec2 p = here + step;
    float period = size.y - 1.0;
    float row = p.y < 0.0 ? p.y + period : p.y > size.y ? p.y - period : p.y;
    return vec2(clamp(p.x, 0.5, size.x - 0.5), row);
}
#define NODE(step) node(step)
