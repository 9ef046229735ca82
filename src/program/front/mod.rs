//! The front end: from the text of a program to its typed tree.
//!
//! ```text
//! text → lex → preprocess → parse and type → Program
//! ```
//!
//! It knows the dialect completely and nothing else. All faults of a text are found in one reading; what does not depend
//! on a fault is still declared and typed. Sizes, depths and trip counts are bounded while the text is read.

mod builtin;
mod condition;
mod declarations;
mod expressions;
mod fault;
mod lex;
mod parse;
mod preprocess;
mod statements;
mod tree;
mod types;

pub(crate) use builtin::{BUILT_INS, functions};
pub(crate) use fault::Fault;
pub(crate) use lex::{Token, tokens};
pub(crate) use parse::{Program, Reading, assembled_as, constructed, parse};
pub(crate) use tree::{Expr, Function, Kind, Loop, Node, Statement, Storage, Variable};
pub(crate) use types::Type;

/// Kind of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One kernel.
    #[default]
    Fragment,
    /// Positions the corners of rectangles, or a mesh.
    Vertex,
    /// Text in front of other texts.
    Prelude,
}

/// Maximum number of characters of a text. The papers' programs have up to 6 000.
const LONGEST_TEXT: usize = 100_000;
/// Maximum number of tokens to which macros expand, with intermediate results.
const MOST_EXPANDED: usize = 100_000;
/// Maximum number of tokens after the expansion of macros. The papers' programs have up to 1 300.
const MOST_TOKENS: usize = 10_000;
/// Maximum number of tokens of a program whose loops are unrolled and whose functions are inlined.
const MOST_UNROLLED: usize = 400_000;
/// Maximum number of tokens of a statement. It bounds the depth of its tree, because `a + a + a` adds a level per
/// term.
const LONGEST_STATEMENT: usize = 500;
/// Maximum nesting of blocks, of macro calls, and of function calls.
const DEEPEST: usize = 64;
/// Maximum number of iterations of a loop.
const LONGEST_LOOP: usize = 65_536;
/// Maximum number of elements of an array.
const LONGEST_ARRAY: usize = 256;
/// Maximum nesting of parentheses, calls and selections in an expression.
const DEEPEST_EXPRESSION: usize = 100;
