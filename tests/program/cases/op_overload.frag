uniform stream x;
vec2 f(vec2 v) {
    return v * 2.0;
}
float f(float v) {
    return v * 0.5;
}
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    h = f(vec2(h, 1.0)).x * f(1.0);
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
