uniform stream x;
void main() { result.x = fetch(x, here).x; }
