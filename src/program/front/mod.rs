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
mod size;
mod statements;
mod tree;
mod types;

pub(crate) use builtin::{BUILT_INS, functions};
pub(crate) use fault::Fault;
pub(crate) use parse::{Program, Reading, assembled, assembled_as, constructed, parse};
pub(crate) use tree::{Expr, Function, Kind, Loop, Node, Statement, Storage, Variable};
pub(crate) use types::Type;

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// One kernel.
    Fragment,
    /// Positions the corners of rectangles, or a mesh.
    Vertex,
    /// Text in front of other texts.
    Prelude,
}
