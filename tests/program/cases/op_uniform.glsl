uniform float q;
vec3 metric(vec2 p) {
    float h = 0.5 * q * exp(p.x);
    return vec3(h, h, 1.0);
}
