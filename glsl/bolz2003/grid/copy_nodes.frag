// A copy of a vector (Bolz et al. 2003, section 4.2, texture layout). With grid_border.glsl in front, drawn over
// the ring of the vector itself, it synchronises the border. With grid_owned.glsl, each node is stored once in
// the copy, and zero where it would be stored again.
//
//   result[i] = v[i]
//
//   v        .xyzw   a vector
//   result   .xyzw   its nodes
uniform stream v;

vec4 node(vec2 i) {
    return fetch(v, i);
}

void main() {
    result = KEEP(node(AT));
}
