// Prepended to the programs of the flapping wing (Goodnight et al. 2003, section 5.3): the nodes next to a node.
// Columns are counted along xi, from the body outwards, and rows along eta, around it; the last row is a replica of
// the first.
//
//   size         .xy   columns and rows
//   NODE(step)         the texel at this distance in nodes; the last one beyond the ends of xi
uniform vec2 size;

vec2 node(vec2 step) {
    vec2 p = here + step;
    float period = size.y - 1.0;
    float row = p.y < 0.0 ? p.y + period : p.y > size.y ? p.y - period : p.y;
    return vec2(clamp(p.x, 0.5, size.x - 0.5), row);
}
#define NODE(step) node(step)
