uniform stream x;
void main() { vec4 a = fetch(x, here); }
