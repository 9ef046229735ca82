//! Errors of listings.

use super::dialect::SyntaxError;
use crate::error::{WithKind, with_remedy};

/// A program that cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is not valid GLSL.
    #[error("{0}. Correct the program.")]
    Syntax(#[from] SyntaxError),
    /// There is no `void main()`.
    #[error("no function main. Write one that assigns `result`.")]
    NoMain,
    /// No instruction computes in double precision. The program can be counted, as if it were single.
    #[error(
        "no card of 2003 computes in double precision. Choose a variant in single precision or with pairs."
    )]
    Double,
    /// The program uses something without an instruction.
    #[error("{}", with_remedy(format_args!("line {line}, column {column}: cannot assemble {what}"), remedy))]
    Unsupported {
        /// Line in the program, from 1.
        line: u32,
        /// Column in the line, from 1.
        column: u32,
        /// The text in question.
        what: String,
        /// Remedy.
        remedy: &'static str,
    },
}

impl WithKind for CountError {}
