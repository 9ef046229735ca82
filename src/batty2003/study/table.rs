//! The numbers of the paper's tables: its operations and its results.

/// Solves in the sums of the table of operations.
pub const SOLVES: f64 = 51.0;

/// Calls in all solves: product, dot product, scale-add, preconditioning, set-up, read-back.
pub const CALLS: [f64; 6] = [9600.0, 19_891.0, 28_749.0, 9600.0, SOLVES, SOLVES];

/// Milliseconds of a call of each.
pub const MILLISECONDS: [f64; 6] = [33.56, 7.85, 2.40, 2.30, 711.36, 678.88];

/// Milliseconds of a scale-add by the totals of the same table, which prints 2.40: 69.25 s divided by 28 749 calls.
pub const SCALE_ADD: f64 = 2.41;

/// Seconds of a solve: CPU with the diagonal, CPU with IC(0), FX 1000, FX 2000.
pub const SECONDS: [f64; 4] = [32.0, 16.5, 12.3, 10.3];
