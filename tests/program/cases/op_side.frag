uniform stream x;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    float k = 0.0;
    float z = p.x > 1.0 ? (k += 0.2) : 0.0;
    return vec3(h, h, 1.0 + k);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
