uniform stream x;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    vec3 q = vec3(3.0, 2.0, h);
    h = q.zyx[0];
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
