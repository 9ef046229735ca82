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
mod emit;
pub(crate) mod execute;
pub mod formats;
pub(crate) mod front;
pub(crate) mod graph;
pub mod interpret;
pub mod listing;

pub use listing::Listing;

use crate::error::WithKind;
use dialect::{Violation, report};
use front::Fault;

/// Maximum number of streams of a program: the texture units of NV30.
pub const STREAMS: usize = 16;

/// Text in front of fragment programs.
pub(crate) const PRELUDE: &str = include_str!("../../glsl/stream/program/prelude.glsl");
/// Text in front of vertex programs of rectangles.
pub(crate) const VERTEX_PRELUDE: &str = include_str!("../../glsl/stream/program/vertex.glsl");

/// First and last line in front of the text of an assembled program.
pub(crate) const VERSION: &str = "#version 330 core\n";
pub(crate) const LINE: &str = "#line 1\n";

/// The text of an assembled program without its defines and its prelude.
pub(crate) fn own_text(assembled: &str) -> &str {
    let parts = assembled.split_once(LINE).filter(|_| assembled.starts_with(VERSION));
    parts.map_or(assembled, |(_, own)| own)
}

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
