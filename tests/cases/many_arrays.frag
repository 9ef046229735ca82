// EXCEPTION(constant-loops): a test
uniform stream x;
void main() {
    float a[256]; float b[256]; float c[256]; float d[256]; float e[256]; float f[256]; float g[256]; float h[256];
    float n = fetch(x, here).x;
    for (float k = 0.0; k < min(n, 20000.0); k += 1.0) {}
    result = vec4(n);
}
