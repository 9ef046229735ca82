uniform stream x;
const float n = 3.0;
float g(float n) { float s = 0.0; for (float c = 0.0; c < n; c += 1.0) s += 0.1; return s; }
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    return vec3(h, h, 1.0 + g(p.x));
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
