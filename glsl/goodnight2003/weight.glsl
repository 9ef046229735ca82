// What a node takes, by interpolation, of the coarser node behind it; the rest is of the one before
// it (Goodnight et al. 2003, section 4.1.5). Only the last interval of a grid can be shorter.
//
//   i       a node of the finer grid
//   nodes   how many there are
//   last    the weight of the last odd one
float weight(float i, float nodes, float last) {
    float odd = i > nodes - 2.5 ? last : 0.5;
    return fract(0.5 * i) < 0.25 ? 0.0 : odd;
}
