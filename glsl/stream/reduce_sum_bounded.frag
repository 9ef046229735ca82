// One pass of a sum reduction with bounds tests (Bolz et al. 2003, section 3.1.3): as
// reduce_sum.frag, but records outside the input are left out by a comparison, so that nothing
// needs to be known about what lies there.
//
//   x         .xyzw  the records, each channel reduced by itself
//   extent    .xy    width and height of the data in x
//   result    .xyzw  the sum of at most four records
uniform stream x;
uniform vec2 extent;

void main() {
    vec2 p = 2.0 * here - vec2(0.5);
    vec2 q = p + vec2(1.0);
    vec4 sum = fetch(x, p);
    sum += q.x < extent.x ? fetch(x, vec2(q.x, p.y)) : vec4(0.0);
    sum += q.y < extent.y ? fetch(x, vec2(p.x, q.y)) : vec4(0.0);
    sum += q.x < extent.x && q.y < extent.y ? fetch(x, q) : vec4(0.0);
    result = sum;
}
