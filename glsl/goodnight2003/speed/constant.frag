// The trivial program (Goodnight et al. 2003, section 7.1): it fetches nothing and writes a constant.
//
//   value    .xyzw   the constant
//   result   .xyzw   value
//
// Cost: 1 instruction, 0 of them fetches
uniform vec4 value;

void main() {
    result = value;
}
