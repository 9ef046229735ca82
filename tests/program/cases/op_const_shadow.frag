uniform stream x;
const float n = 2.0;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    float s = 0.0;
    { const float n = 4.0; s += 0.0 * n; }
    for (float i = 0.0; i < n; i += 1.0) { s += 0.5 * h; }
    h = s;
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
