//! Tokens, each with the place where it was written.

use std::rc::Rc;

use super::fault::{Fault, Place};

/// A name, a number, a symbol, or the end of a line.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub text: Rc<str>,
    /// Line and column, from 1. Tokens of a macro have the place of its call.
    pub place: Place,
    /// True if blanks or a comment are in front of it.
    pub is_spaced: bool,
    /// The macros that this token comes from, which are not expanded again.
    pub hidden: Option<Rc<Hidden>>,
}

/// Names of macros, the innermost first.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub name: Rc<str>,
    pub depth: usize,
    pub outer: Option<Rc<Hidden>>,
}

const SYMBOLS: [&str; 23] = [
    "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=",
    ">=", "&&", "||", "^^", "<<", ">>", "##", "\n",
];

impl Token {
    pub(super) fn new(text: &str, place: Place) -> Self {
        Self { text: text.into(), place, is_spaced: false, hidden: None }
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        &*self.text == text
    }

    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(is_letter)
    }

    pub(crate) fn is_number(&self) -> bool {
        self.text.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit())
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Splits a text into tokens; the last of each line is `\n`. Lines that end with `\` are joined before comments are
/// removed. `head` is the number of lines that are not counted.
pub(crate) fn tokens(source: &str, head: u32) -> Result<Vec<Token>, Fault> {
    let (text, places) = spliced(source, head);
    let starts = |at: usize, of: &str| text[at..].iter().take(of.len()).copied().eq(of.chars());
    let is_word = |c: char| is_letter(c) || c.is_ascii_digit();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut is_spaced) = (0, false);
    while let Some(&first) = text.get(at) {
        let start = at;
        let is_number = first.is_ascii_digit()
            || first == '.' && text.get(at + 1).is_some_and(char::is_ascii_digit);
        let mut is_blank = true;
        if starts(at, "//") {
            at += text[at..].iter().take_while(|&&c| c != '\n').count();
        } else if starts(at, "/*") {
            let open = || Fault::syntax(places[start], "`/*` without `*/`", "close the comment");
            at = (at + 2..text.len()).find(|&at| starts(at, "*/")).ok_or_else(open)? + 2;
        } else if first != '\n' && first.is_ascii_whitespace() || first == '\u{b}' {
            at += 1;
        } else {
            is_blank = false;
            let is_sign = |at: usize| "+-".contains(text[at]) && "eE".contains(text[at - 1]);
            let is_part = |at: usize, c: char| is_word(c) || is_number && (c == '.' || is_sign(at));
            if is_number || is_letter(first) {
                at += (at..).zip(&text[at..]).take_while(|&(at, &c)| is_part(at, c)).count();
            } else {
                at += SYMBOLS.iter().find(|symbol| starts(at, symbol)).map_or(1, |one| one.len());
            }
            let text: String = text[start..at].iter().collect();
            tokens.push(Token { is_spaced, ..Token::new(&text, places[start]) });
        }
        is_spaced = is_blank;
    }
    Ok(tokens)
}

/// The characters of a text without line continuations, and their places. The last one is `\n`.
fn spliced(source: &str, head: u32) -> (Vec<char>, Vec<Place>) {
    let source = source.replace("\r\n", "\n").replace('\r', "\n") + "\n";
    let lines = (1u32..).zip(source.split_inclusive('\n')).flat_map(|(number, line)| {
        let line = line.strip_suffix("\\\n").unwrap_or(line);
        (1..).zip(line.chars()).map(move |(column, c)| (c, (number.saturating_sub(head), column)))
    });
    lines.chain([('\n', (0, 0))]).unzip()
}

/// Precedence of a binary operator of GLSL.
pub(super) fn precedence(symbol: &str) -> Option<usize> {
    const LEVELS: [&str; 11] =
        ["||", "^^", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"];
    LEVELS.iter().position(|level| level.split(' ').any(|one| one == symbol))
}
