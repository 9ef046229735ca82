// A copy of a vector: with grid_border.glsl in front and drawn over the ring of the vector itself,
// the synchronisation of the border (Bolz et al. 2003, section 4.2, texture layout); with
// grid_owned.glsl, a copy in which every node stands once.
//
//   v[i] = v[i]
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
