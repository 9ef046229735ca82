// What a product with the entries of a sparse matrix, drawn as points, can at best take: the same
// points and as many fetches, all of them at the point itself (Krueger and Westermann 2003, section
// 4.2).
//
//   result[i] = before[i] + x[i]
//
//   x        .x     the vector, one entry a record
//   before   .x     the sum so far
//   result   .x     no meaning
uniform stream x;
uniform stream before;

void main() {
    result = fetch(before, here) + fetch(x, here);
}
