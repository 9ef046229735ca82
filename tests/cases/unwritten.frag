uniform stream x;
void main() {
    float sum;
    for (float i = 0.0; i < 3.0; i += 1.0) sum += fetch(x, here + vec2(i, 0.0)).x;
    result = vec4(sum);
}
