//! The operations of the paper's table, and the programs that they run.

use crate::stream::{Ledger, Source, source};

pub(super) const MULTIPLY: Source = source!(batty2003, "pressure/multiply");
pub(super) const CHANNEL_SUM: Source = source!(batty2003, "pressure/channel_sum");
pub(super) const SCALE_ADD: Source = source!(batty2003, "pressure/scale_add");
pub(super) const SEPTDIAGMUL: Source = source!(batty2003, "pressure/septdiagmul");
pub(super) const PRECONDITION: Source = source!(batty2003, "pressure/precondition");

/// Programs of each operation: those that a call draws once, and those of its other passes.
const PROGRAMS: [[&[Source]; 2]; 4] = [
    [&[SEPTDIAGMUL], &[]],
    [&[MULTIPLY], &[source!(stream, "reduce"), source!(stream, "reduce_quadrants"), CHANNEL_SUM]],
    [&[source!(stream, "vector_op"), source!(stream, "scale"), SCALE_ADD], &[]],
    [&[PRECONDITION], &[]],
];

/// The operations in the rows of the paper's table, except for set-up and read-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Matrix Vector Multiply
    Product,
    /// Dot Product
    Dot,
    /// Scale-Add
    ScaleAdd,
    /// Vector Precondition
    Precondition,
}

impl Operation {
    /// All operations, in the order of the table.
    pub const ALL: [Self; 4] = [Self::Product, Self::Dot, Self::ScaleAdd, Self::Precondition];

    /// Its part of a ledger, without switches and transfers.
    pub fn part(self, ledger: &Ledger) -> Ledger {
        ledger.passes_of(&PROGRAMS[self as usize].concat())
    }

    /// Number of its calls in a ledger.
    pub fn calls(self, ledger: &Ledger) -> u64 {
        // Appendix B: the passes of SumReduce belong to the dot product that they complete
        ledger.passes_of(PROGRAMS[self as usize][0]).total().passes
    }
}
