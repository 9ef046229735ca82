//! Tokens, each with the place where it was written.

use std::rc::Rc;

use super::fault::Place;

/// A name, a number, a symbol, or the end of a line.
#[derive(Clone, Debug)]
pub(super) struct Token {
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
pub(super) struct Hidden {
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

    pub(super) fn is(&self, text: &str) -> bool {
        &*self.text == text
    }

    pub(super) fn is_name(&self) -> bool {
        self.text.starts_with(is_letter)
    }

    pub(super) fn is_number(&self) -> bool {
        self.text.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit())
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Splits a text into tokens; the last of each line is `\n`. Lines that end with `\` are joined before comments are
/// removed. `head` is the number of lines that are not counted.
///
/// # Errors
/// A comment without an end: its place.
pub(super) fn tokens(source: &str, head: u32) -> Result<Vec<Token>, Place> {
    let (text, places) = spliced(source, head);
    let starts = |at: usize, symbol: &str| {
        symbol.chars().enumerate().all(|(k, c)| text.get(at + k) == Some(&c))
    };
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut is_spaced) = (0, false);
    while let Some(&first) = text.get(at) {
        let start = at;
        if starts(at, "//") {
            at += text[at..].iter().take_while(|&&c| c != '\n').count();
        } else if starts(at, "/*") {
            at = (at + 2..text.len()).find(|&at| starts(at, "*/")).ok_or(places[start])? + 2;
        } else if first != '\n' && first.is_ascii_whitespace() || first == '\u{b}' {
            at += 1;
        } else {
            let is_word = |c: char| is_letter(c) || c.is_ascii_digit();
            if is_letter(first) {
                at += text[at..].iter().take_while(|&&c| is_word(c)).count();
            } else if first.is_ascii_digit()
                || first == '.' && text.get(at + 1).is_some_and(char::is_ascii_digit)
            {
                let is_sign = |at: usize| "+-".contains(text[at]) && "eE".contains(text[at - 1]);
                while text.get(at).is_some_and(|&c| is_word(c) || c == '.' || is_sign(at)) {
                    at += 1;
                }
            } else {
                at += SYMBOLS.iter().find(|symbol| starts(at, symbol)).map_or(1, |one| one.len());
            }
            let text: String = text[start..at].iter().collect();
            tokens.push(Token { is_spaced, ..Token::new(&text, places[start]) });
            is_spaced = false;
            continue;
        }
        is_spaced = true;
    }
    Ok(tokens)
}

/// The characters of a text without line continuations, and their places. The last one is `\n`.
fn spliced(source: &str, head: u32) -> (Vec<char>, Vec<Place>) {
    let (mut text, mut places) = (Vec::new(), Vec::new());
    let (mut line, mut column) = (1u32, 0);
    let mut rest = source.chars().chain(['\n']).peekable();
    while let Some(c) = rest.next() {
        column += 1;
        let is_return = c == '\r';
        if is_return {
            rest.next_if_eq(&'\n');
        }
        let c = if is_return { '\n' } else { c };
        text.push(c);
        places.push((line.saturating_sub(head), column));
        if c == '\n' {
            (line, column) = (line + 1, 0);
            if let [.., '\\', '\n'] = text[..] {
                text.truncate(text.len() - 2);
                places.truncate(text.len());
            }
        }
    }
    if text.last() != Some(&'\n') {
        text.push('\n');
        places.push((line.saturating_sub(head), column + 1));
    }
    (text, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let tokens = tokens(source, 0).expect("comments that end");
        tokens.iter().map(|token| token.text.to_string()).collect()
    }

    #[test]
    fn lines_are_joined_before_comments_are_removed() {
        assert_eq!(texts("a // b \\\n c\nfl\\\r\noat"), ["a", "\n", "float", "\n"]);
        assert_eq!(texts("/*/ a /*/ b /**/ c"), ["b", "c", "\n"]);
        assert_eq!(tokens("a /* b", 0).map(|_| ()), Err((1, 3)));
    }

    #[test]
    fn the_longest_symbol_and_the_longest_number_are_taken() {
        assert_eq!(
            texts("a+++-b<<=.5e-3-1.x"),
            ["a", "++", "+", "-", "b", "<<=", ".5e-3", "-", "1.x", "\n"]
        );
    }

    #[test]
    fn tokens_keep_their_places() {
        let tokens = tokens("a\n /* ü\n */ b\\\n c", 1).expect("a comment that ends");
        let places: Vec<_> = tokens.iter().map(|token| token.place).collect();
        assert_eq!(places, [(0, 1), (0, 2), (2, 5), (3, 2), (3, 3)]);
    }
}
