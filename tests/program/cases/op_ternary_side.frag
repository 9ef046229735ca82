uniform stream x;
vec3 metric(vec2 p) {
    float h = 0.5 * exp(p.x);
    float t = h;
    h = p.x > 0.5 ? (t *= 1.0) : (t *= 2.0);
    h = p.x > 0.5 ? t : t * 0.5;
    return vec3(h, h, 1.0);
}
void main() {
    result = vec4(metric(fetch(x, here).xy), 0.0);
}
