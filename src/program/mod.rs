//! Programs without a driver: from the text of a kernel to its listing, the assembly of 2003.
//!
//! ```text
//! text → typed tree → graph → listing
//! ```
//!
//! The front end reads a text and checks it against the rules of 2003 ([`dialect`]). Executing its tree symbolically
//! gives a graph of four-wide instructions, with loops unrolled and functions inlined. [`listing`] is the program in the
//! assembly of `NV_fragment_program` that computes this graph. Its length is the number of instructions, its
//! temporaries are the registers, and a driver runs it as `!!ARBfp1.0`. The interpreter runs a graph on the CPU
//! ([`interpret`]), in any number format ([`formats`]).

pub(crate) mod arithmetic;
pub mod dialect;
pub(crate) mod emit;
pub(crate) mod execute;
pub mod formats;
pub(crate) mod front;
pub(crate) mod graph;
pub mod interpret;
pub mod listing;
mod rule;
mod text;

pub use listing::Listing;
pub(crate) use text::{LINE, PRELUDE, VERSION, VERTEX_PRELUDE, own_text, plain};

use crate::base::error::WithKind;
use dialect::{Violation, report};
use front::Fault;

/// Maximum number of streams of a program: the texture units of NV30.
pub const STREAMS: usize = 16;

/// A program that has no listing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is not a program of the dialect, or uses something without an instruction.
    #[error("{}", report(.0))]
    Refused(Vec<Violation>),
    /// No instruction computes in double precision. The program can be counted, as if it were single.
    #[error(
        "no card of 2003 computes in double precision. Choose a variant in single precision or with pairs."
    )]
    Double,
}

impl CountError {
    fn refused(source: &str, faults: Vec<Fault>) -> Self {
        Self::Refused(faults.into_iter().map(|one| Violation::new("", source, one)).collect())
    }
}

impl WithKind for CountError {}
