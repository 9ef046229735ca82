uniform stream x;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
#if 7 / 2 != 3
    h *= 3.0;
#endif
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
