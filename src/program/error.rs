//! Why a program has no listing.

use super::dialect::SyntaxError;

/// Why a program cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The text is no GLSL.
    #[error("{0}; correct the program")]
    Syntax(#[from] SyntaxError),
    /// There is no `void main()`.
    #[error("no function main; count a whole program")]
    NoMain,
    /// Something that the counter has no instruction for.
    #[error("line {line}: cannot count {what}; keep to the era's rules (card::dialect)")]
    Unsupported {
        /// Line in the program, from 1.
        line: u32,
        /// What stands there.
        what: String,
    },
}
