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

/// Replaces a part of a program's own text behind `head`, with the macros expanded in all of them and regardless of blanks.
///
/// # Errors
/// The number of places at which the part is, if it is not one. A text with faults has no places.
pub(crate) fn replaced(head: &str, own: &str, part: &str, by: &str) -> Result<String, usize> {
    const MARK: &str = "MARK_OF_A_PART";
    let read = tokens(&format!("{head}\n{MARK}\n{own}\n{MARK}\n{part}\n{MARK}\n{by}"), 0);
    let read = read.and_then(|tokens| preprocess::preprocess(tokens, &[], &mut Vec::new()));
    let tokens = read.unwrap_or_default().tokens;
    let parts: Vec<&[Token]> = tokens.split(|token| token.is(MARK)).collect();
    let [_, own, part @ &[_, ..], by] = parts[..] else {
        return Err(0);
    };
    let is_part = |&start: &usize| {
        let here = own[start..].iter().zip(part);
        start + part.len() <= own.len() && here.into_iter().all(|(a, b)| a.text == b.text)
    };
    let places: Vec<usize> = (0..own.len()).filter(is_part).collect();
    let [place] = places[..] else {
        return Err(places.len());
    };
    let (mut text, mut line) = (String::new(), own[0].place.0);
    for (number, token) in own.iter().enumerate() {
        while line < token.place.0 {
            text.push('\n');
            line += 1;
        }
        match number.checked_sub(place) {
            Some(0) => by.iter().for_each(|token| text.extend([" ", &token.text])),
            Some(inside) if inside < part.len() => {}
            _ => text.extend([" ", &token.text]),
        }
    }
    Ok(text)
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
