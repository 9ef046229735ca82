// Discards each fragment whose number is not to be smoothed; an occlusion query counts those that remain (Goodnight et
// al. 2003, section 4.1.3).
//
//   kind     .x   1 where numbers are smoothed, else 0
//   result   .x   1
uniform stream kind;

void main() {
    float own = fetch(kind, here).x;
    if (own < 0.5) discard;
    result = vec4(own);
}
