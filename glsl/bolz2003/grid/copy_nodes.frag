// A copy of a vector (Bolz et al. 2003, section 4.2, texture layout).
//
//   result[i] = v[i]
//
// With grid_border.glsl, drawn over the ring of the vector itself, it synchronises the border. With grid_owned.glsl,
// each node is stored once in the copy, and zero where it would be stored again.
//
//   v        .xyzw   a vector
//   result   .xyzw   its nodes
//
// AT, KEEP: grid_inner.glsl, or grid_nodes.glsl and grid_border.glsl or grid_owned.glsl
// Cost: 35 instructions, 1 of them a fetch, with grid_nodes grid_border
uniform stream v;

vec4 node(vec2 i) {
    return fetch(v, i);
}

void main() {
    result = KEEP(node(AT));
}
