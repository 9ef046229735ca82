//! Errors of listings.

use super::dialect::SyntaxError;

/// A program that cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is not valid GLSL.
    #[error("{0}. Correct the program.")]
    Syntax(#[from] SyntaxError),
    /// There is no `void main()`.
    #[error("no function main. Count a complete program.")]
    NoMain,
    /// The program uses something without an instruction.
    #[error("line {line}: cannot count {what}. Keep the era's rules (glsl/README.md).")]
    Unsupported {
        /// Line in the program, from 1.
        line: u32,
        /// The text in question.
        what: String,
    },
}
