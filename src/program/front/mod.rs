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
mod flow;
mod lex;
mod outline;
mod parse;
mod preprocess;
mod statements;
mod tree;
mod types;

use std::rc::Rc;

pub(crate) use builtin::{BUILT_INS, functions};
pub(crate) use fault::Fault;
pub(crate) use lex::{Token, tokens};
pub(crate) use outline::outline;
pub(crate) use parse::{Reading, assembled_as, parse};
pub(crate) use tree::{
    Expr, Function, Kind, Loop, Node, Register, Statement, Storage, Tree, Variable, behind,
    constructed, register,
};
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

/// Tests whether a text is whole, with its `#version`, so that no prelude belongs in front of it.
pub(crate) fn is_whole(source: &str) -> bool {
    let tokens = tokens(source, 0).unwrap_or_default();
    let mut words = tokens.iter().filter(|token| !token.is("\n"));
    words.next().is_some_and(|hash| hash.is("#"))
        && words.next().is_some_and(|word| word.is("version"))
}

/// Counts the places of an assembled program's text at which a part of a text is, with the same macros expanded in both
/// and regardless of blanks. A text with faults has no places.
pub(crate) fn occurrences(source: &str, part: &str) -> usize {
    const MARK: &str = "MARK_OF_THE_PART";
    let read = tokens(&format!("{source}\n{MARK}\n{part}"), 0);
    let read = read.and_then(|tokens| preprocess::preprocess(tokens, &[], &mut Vec::new()));
    let words: Vec<Rc<str>> =
        read.unwrap_or_default().tokens.into_iter().map(|one| one.text).collect();
    match words.iter().rposition(|word| &**word == MARK) {
        Some(mark) if mark + 1 < words.len() => {
            let (text, part) = (&words[..mark], &words[mark + 1..]);
            text.windows(part.len()).filter(|place| *place == part).count()
        }
        _ => 0,
    }
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
/// Maximum number of tokens of the headers of loops, as often as their counters step.
const MOST_STEPPED: usize = 3_000_000;
/// Maximum number of faults for which a close name is looked for, and of characters of that name.
const MOST_SUGGESTIONS: usize = 10;
const LONGEST_NAME: usize = 64;
/// Maximum number of elements of an array.
const LONGEST_ARRAY: usize = 256;
/// Maximum nesting of parentheses, calls and selections in an expression.
const DEEPEST_EXPRESSION: usize = 100;
