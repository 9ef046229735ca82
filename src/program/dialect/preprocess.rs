//! A preprocessor for one program: comments, macros, conditions. `glsl-lang-pp` 0.8 cannot be used, because it
//! does not expand a call of a macro within two others, `F(F(F(a, b), c), d)`.
//!
//! The parser's lexer passes directives unexpanded, so they are resolved here. Every line keeps its number. The
//! words of the prelude (`stream`, `fetch`, `here`) remain: they are the language of the rules and the
//! instruction counter.

use std::cell::Cell;
use std::collections::HashMap;

use super::constant;
use super::size::{DEEPEST, LONGEST_STATEMENT, LONGEST_TEXT};

/// Macros of the prelude, which are never expanded.
const VOCABULARY: [&str; 3] = ["stream", "fetch", "here"];

/// A text that is not valid GLSL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct SyntaxError {
    /// Line of the text, from 1.
    pub line: u32,
    /// Column, from 1; 1 for a fault of a whole line or program.
    pub column: u32,
    /// Fault, with a remedy.
    pub message: String,
}

impl SyntaxError {
    /// A fault of a whole line.
    pub(super) fn in_line(line: u32, message: String) -> Self {
        Self { line, column: 1, message }
    }
}

/// The right-hand side of a `#define`.
struct Macro {
    /// `None` for a macro without parentheses.
    parameters: Option<Vec<String>>,
    body: String,
}

/// One level of `#if`.
struct Condition {
    /// True if this level keeps the lines of the present branch.
    keeps: bool,
    /// True if an earlier branch has been kept.
    kept: bool,
}

/// Resolves comments, macros and conditions of `source`, line by line.
///
/// `predefined` names are defined as 1.
pub(crate) fn preprocess(source: &str, predefined: &[String]) -> Result<String, SyntaxError> {
    if source.len() > LONGEST_TEXT {
        let message = format!("the text is longer than {LONGEST_TEXT} characters. Shorten it.");
        return Err(SyntaxError::in_line(1, message));
    }
    let mut state = Preprocessor::default();
    for name in predefined {
        state.define(name, None, "1");
    }
    let source = without_comments(source);
    let mut lines = (1u32..).zip(source.lines());
    while let Some((number, line)) = lines.next() {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            let kept = if state.is_active() { line } else { "" };
            state.pending.push_str(kept);
            state.pending.push('\n');
            continue;
        };
        let mut directive = directive.to_string();
        let mut taken = 1;
        while directive.ends_with('\\') {
            directive.pop();
            directive.push_str(lines.next().map_or("", |(_, next)| next));
            taken += 1;
        }
        state.flush()?;
        state
            .directive(directive.trim())
            .map_err(|message| SyntaxError::in_line(number, message))?;
        state.output.push_str(&"\n".repeat(taken));
    }
    state.flush()?;
    if !state.conditions.is_empty() {
        let last = source.lines().count() as u32;
        return Err(SyntaxError::in_line(last, "#if without #endif".into()));
    }
    Ok(state.output)
}

/// The names tested by conditions of `source`, without duplicates: they select variants of a program.
pub(crate) fn tested_names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in without_comments(source).lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            continue;
        };
        let mut words = Tokens(directive).filter(|token| is_identifier(token));
        if words.next().is_some_and(|word| word.starts_with("if") || word == "elif") {
            names.extend(words.filter(|&word| word != "defined").map(String::from));
        }
    }
    names.sort();
    names.dedup();
    names
}

#[derive(Default)]
struct Preprocessor {
    macros: HashMap<String, Macro>,
    conditions: Vec<Condition>,
    /// Lines since the last directive, because a macro call may extend over several.
    pending: String,
    output: String,
    /// Number of tokens expanded so far.
    expanded: Cell<usize>,
}

impl Preprocessor {
    fn is_active(&self) -> bool {
        self.conditions.iter().all(|condition| condition.keeps)
    }

    fn flush(&mut self) -> Result<(), SyntaxError> {
        let pending = std::mem::take(&mut self.pending);
        let expanded = self.expand(&pending, &mut Vec::new());
        let expanded = expanded.map_err(|message| {
            let line = 1 + self.output.matches('\n').count() as u32;
            SyntaxError::in_line(line, message)
        })?;
        self.output.push_str(&expanded);
        Ok(())
    }

    fn define(&mut self, name: &str, parameters: Option<Vec<String>>, body: &str) {
        if !VOCABULARY.contains(&name) {
            let body = body.trim().to_string();
            let definition = Macro { parameters, body };
            self.macros.insert(name.to_string(), definition);
        }
    }

    fn directive(&mut self, text: &str) -> Result<(), String> {
        let (word, rest) = text.split_at(identifier_length(text));
        let rest = rest.trim();
        match word {
            "if" | "ifdef" | "ifndef" => {
                let keeps = self.is_active() && self.condition(word, rest)?;
                self.conditions.push(Condition { keeps, kept: keeps });
            }
            "elif" | "else" => {
                let Some(Condition { kept, .. }) = self.conditions.pop() else {
                    return Err(format!("#{word} without #if"));
                };
                let keeps = !kept && self.is_active() && self.condition(word, rest)?;
                let kept = kept || keeps;
                self.conditions.push(Condition { keeps, kept });
            }
            "endif" => {
                self.conditions.pop().ok_or("#endif without #if")?;
            }
            _ if !self.is_active() => {}
            "define" => self.define_directive(rest)?,
            "undef" => {
                self.macros.remove(rest);
            }
            "error" => return Err(format!("#error {rest}")),
            _ => {} // #version, #extension, #line, #pragma: nothing to expand.
        }
        Ok(())
    }

    fn condition(&self, word: &str, text: &str) -> Result<bool, String> {
        match word {
            "else" => Ok(true),
            "ifdef" => Ok(self.macros.contains_key(text)),
            "ifndef" => Ok(!self.macros.contains_key(text)),
            _ => {
                let resolved = self.expand(&self.resolve_defined(text), &mut Vec::new())?;
                if Tokens(&resolved).nth(LONGEST_STATEMENT).is_some() {
                    let what =
                        format!("#{word} has more than {LONGEST_STATEMENT} tokens. Shorten it.");
                    return Err(what);
                }
                constant::evaluate_text(&resolved)
                    .map(|value| value != 0.0)
                    .ok_or(format!("#{word} {text}: not a constant condition"))
            }
        }
    }

    /// Replaces `defined X` and `defined(X)` by 1 or 0.
    fn resolve_defined(&self, text: &str) -> String {
        let mut result = String::new();
        let mut tokens = Tokens(text);
        while let Some(token) = tokens.next() {
            if token != "defined" {
                result.push_str(token);
                continue;
            }
            let name = tokens.find(|token| is_identifier(token)).unwrap_or("");
            let is_defined = self.macros.contains_key(name);
            result.push_str(if is_defined { "1" } else { "0" });
            // A parenthesis opened before the name is closed after it.
            if tokens.0.trim_start().starts_with(')') {
                tokens.find(|&token| token == ")");
            }
        }
        result
    }

    fn define_directive(&mut self, text: &str) -> Result<(), String> {
        let (name, rest) = text.split_at(identifier_length(text));
        if name.is_empty() {
            return Err("#define without a name".into());
        }
        let Some(list) = rest.strip_prefix('(') else {
            self.define(name, None, rest);
            return Ok(());
        };
        let (parameters, body) = list.split_once(')').ok_or("#define: ) is missing")?;
        let parameters = parameters.split(',').map(|name| name.trim().to_string());
        self.define(name, Some(parameters.collect()), body);
        Ok(())
    }

    /// Expands the macros in `text`, except `hidden` ones, which are being expanded.
    fn expand(&self, text: &str, hidden: &mut Vec<String>) -> Result<String, String> {
        if hidden.len() > DEEPEST {
            return Err(format!("macros nest deeper than {DEEPEST}. Expand them by hand."));
        }
        let mut result = String::new();
        let mut rest = Tokens(text);
        while let Some(token) = rest.next() {
            self.expanded.set(self.expanded.get() + 1);
            check_length(self.expanded.get())?;
            let definition = self.macros.get(token);
            let Some(definition) = definition.filter(|_| !hidden.iter().any(|h| h == token)) else {
                result.push_str(token);
                continue;
            };
            let mut body = definition.body.clone();
            let mut newlines = 0;
            if let Some(parameters) = &definition.parameters {
                let Some((arguments, after)) = arguments(rest.0) else {
                    result.push_str(token); // Without arguments, the name is not a call.
                    continue;
                };
                newlines = rest.0.matches('\n').count() - after.matches('\n').count();
                rest = Tokens(after);
                // Arguments add a level.
                hidden.push(String::new());
                let arguments = arguments.iter().map(|one| one.replace('\n', " "));
                let arguments = arguments.map(|argument| self.expand(&argument, hidden));
                body = substitute(&body, parameters, &arguments.collect::<Result<Vec<_>, _>>()?)?;
                hidden.pop();
            }
            hidden.push(token.to_string());
            result.push_str(&self.expand(&body, hidden)?);
            hidden.pop();
            result.push_str(&"\n".repeat(newlines));
        }
        Ok(result)
    }
}

/// Maximum number of tokens to which macros expand, including blanks and intermediate results.
const MOST_EXPANDED: usize = 100_000;

fn check_length(expanded: usize) -> Result<(), String> {
    if expanded > MOST_EXPANDED {
        Err(format!("more than {MOST_EXPANDED} tokens are expanded. Shorten the macros."))
    } else {
        Ok(())
    }
}

fn substitute(body: &str, parameters: &[String], arguments: &[String]) -> Result<String, String> {
    let mut result = String::new();
    for token in Tokens(body) {
        let position = parameters.iter().position(|parameter| parameter == token);
        let argument = position.and_then(|i| arguments.get(i));
        result.push_str(argument.map_or(token, String::as_str));
        check_length(result.len())?;
    }
    Ok(result)
}

/// The arguments of a call whose `(` follows, and the text behind its `)`.
fn arguments(text: &str) -> Option<(Vec<&str>, &str)> {
    let list = text.trim_start().strip_prefix('(')?;
    let (mut depth, mut start, mut arguments) = (0, 0, Vec::new());
    for (position, character) in list.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                arguments.push(list[start..position].trim());
                start = position + 1;
            }
            ')' => {
                arguments.push(list[start..position].trim());
                return Some((arguments, &list[position + 1..]));
            }
            _ => {}
        }
    }
    None
}

fn is_identifier(token: &str) -> bool {
    identifier_length(token) > 0
}

/// Length of the identifier at the start of `text`, or zero.
fn identifier_length(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Splits the remaining text into identifiers, numbers and single other characters, without loss.
pub(super) struct Tokens<'a>(pub(super) &'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let first = self.0.chars().next()?;
        let length = if first.is_ascii_digit() {
            // The letters in 1e5 or 0x1F are part of the number.
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
            self.0.find(|c| !is_part(c)).unwrap_or(self.0.len())
        } else {
            identifier_length(self.0).max(first.len_utf8())
        };
        let (token, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(token)
    }
}

/// Replaces comments by blanks; what is left keeps its line and column.
pub(crate) fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let begins = |text: &str| {
        let mut slashes = text.match_indices('/').map(|(at, _)| at);
        slashes.find(|&at| text[at..].starts_with("//") || text[at..].starts_with("/*"))
    };
    while let Some(start) = begins(rest) {
        let (before, comment) = rest.split_at(start);
        kept.push_str(before);
        rest = if comment.starts_with("//") {
            kept.push(' ');
            comment.find('\n').map_or("", |end| &comment[end..])
        } else {
            let end = comment.find("*/").map_or(comment.len(), |end| end + 2);
            let blank = |c| if c == '\n' { c } else { ' ' };
            kept.extend(comment[..end].chars().map(blank));
            &comment[end..]
        };
    }
    kept + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(source: &str) -> String {
        preprocess(source, &[]).expect("a correct source")
    }

    #[test]
    fn macros_are_expanded_and_lines_keep_their_numbers() {
        let source = "#define N 3.0 // three\n#define add(a, b) (a + \\\n  b)\nx = add(N,\n f(N, 1e5));\ny;\n";
        let result = expanded(source);
        assert_eq!(result.lines().nth(3), Some("x = (3.0 +   f(3.0, 1e5))"));
        assert_eq!(result.lines().nth(5), Some("y;"));
    }

    #[test]
    fn calls_within_calls_are_expanded() {
        let source = "#define F(a, b) (a + b)\nF(F(F(1, 2), 3), 4)\n";
        assert_eq!(expanded(source).trim(), "(((1 + 2) + 3) + 4)");
    }

    #[test]
    fn the_words_of_the_prelude_stay() {
        let source =
            "#define fetch(s, p) texture(s, p)\n#define here gl_FragCoord.xy\nfetch(x, here)\n";
        assert_eq!(expanded(source).trim(), "fetch(x, here)");
    }

    #[test]
    fn conditions_select_branches() {
        let source = "#define A 2\n#if A > 1 && !defined(B)\none\n#else\ntwo\n#endif\n\
                      #ifdef B\nthree\n#elif defined A\nfour\n#endif\n";
        assert_eq!(expanded(source).split_whitespace().collect::<Vec<_>>(), ["one", "four"]);
        assert_eq!(tested_names(source), ["A", "B"]);
        let with_b = preprocess(source, &["B".into()]).expect("correct");
        assert_eq!(with_b.split_whitespace().collect::<Vec<_>>(), ["two", "three"]);
    }

    #[test]
    fn comments_are_blanked_and_a_macro_may_name_itself() {
        assert_eq!(expanded("#define x x.y\na /* b\n c */ x // d\n").trim(), "a     \n      x.y");
    }

    #[test]
    fn an_unbalanced_condition_is_an_error_with_its_line() {
        let error = preprocess("a\n#endif\n", &[]).expect_err("no #if");
        assert_eq!((error.line, error.message.as_str()), (2, "#endif without #if"));
    }
}
