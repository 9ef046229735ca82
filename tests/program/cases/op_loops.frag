uniform stream x;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    for (float i = 0.0; i < 60000.0; i += 1.0) { for (float j = 0.0; j < 60000.0; j += 1.0) { } }
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
