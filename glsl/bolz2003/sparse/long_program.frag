// A long program without fetches, to show the effect of batches and nothing else (Bolz et al. 2003, section
// 3.2.1, Fig. 3): a chain of multiply-adds, each of which needs the one before it.
//
//   v <- factor * v + summand, eight times for each of ROUNDS rounds
//
//   factor     .x     a little less than one, so that the chain stays finite
//   summand    .x     a little more than zero
//   result     .xyzw  the end of the chain that begins with this record's position
//
// EXCEPTION(limits): 128 rounds fit; more make a batch visible against the cost of a pass
//
// Cost: 1033 instructions, 0 of them fetches, with ROUNDS=129
uniform float factor;
uniform float summand;

void main() {
    vec4 v = vec4(here, here.y, here.x);
    for (float round = 0.0; round < ROUNDS; round += 1.0) {
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
        v = factor * v + summand;
    }
    result = v;
}
