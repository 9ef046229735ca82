// Arithmetic on the entries of two vectors, the paper's clVecOp (Krueger and Westermann 2003,
// section 3.1).
//
//   result = (alpha x) o (beta y)
//
//   COMBINE(a, b)   the operator o: a sum, a difference or a product
//   x               .xyzw  entries of a vector: one per record, or four consecutive ones
//   y               .xyzw  entries of another vector, in the same layout
//   alpha           .x     factor of x
//   beta            .x     factor of y
//   result          .xyzw  the entries of the result
//
// Cost: 5 instructions, 2 of them fetches, with COMBINE(a, b)=((a) * (b))
uniform stream x;
uniform stream y;
uniform float alpha;
uniform float beta;

void main() {
    result = COMBINE(alpha * fetch(x, here), beta * fetch(y, here));
}
