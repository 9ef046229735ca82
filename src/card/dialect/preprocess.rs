//! Comments, macros and conditions of one program text.
//!
//! The parser's own lexer hands directives over unexpanded; the preprocessor of the same family
//! resolves them here. Every line keeps its number. The words of the prelude (`stream`, `fetch`,
//! `here`) stay as they are: they are the language that the rules and the instruction counter are
//! about.

use glsl_lang_pp::last::LocatedIterator;
use glsl_lang_pp::processor::event::{Error, Event};
use glsl_lang_pp::processor::nodes::{Define, DefineObject};
use glsl_lang_pp::processor::{ProcessorState, str::process};

/// What the prelude defines, and nobody expands.
const VOCABULARY: [&str; 3] = ["stream", "fetch", "here"];

/// A text that is no GLSL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct SyntaxError {
    /// Line of the text, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl From<&Error> for SyntaxError {
    fn from(error: &Error) -> Self {
        Self {
            line: error.line() + 1,
            message: error.inner().to_string(),
        }
    }
}

/// Resolves comments, macros and conditions of `source`, line by line.
///
/// `predefined` names count as defined to 1.
pub(super) fn preprocess(source: &str, predefined: &[String]) -> Result<String, SyntaxError> {
    let names = predefined.iter().map(|name| name.as_str().into());
    let state = names.fold(ProcessorState::builder(), |state, name| {
        state.definition(Define::object(name, DefineObject::one(), false))
    });
    let source = without_vocabulary(source)?;
    let mut events = process(&source, state.finish());
    let (mut output, mut line) = (String::new(), 0);
    while let Some(event) = events.next() {
        match event {
            Ok(Event::Token {
                token,
                masked: false,
            }) => {
                let start = token.text_range().range().start();
                let (on, _) = events.location().offset_to_raw_line_and_col(start);
                let text = token.text();
                if text.trim().is_empty() || text.starts_with("//") || text.starts_with("/*") {
                    output.push(' ');
                    continue;
                }
                for _ in line..on {
                    output.push('\n');
                }
                line = line.max(on);
                output.push_str(text);
            }
            Ok(Event::Error {
                error,
                masked: false,
            }) => return Err((&error).into()),
            Ok(Event::Directive {
                directive,
                masked: false,
            }) => {
                if let Some(error) = directive.errors().first() {
                    return Err(error.into());
                }
            }
            Ok(_) => {}
            Err(include) => {
                return Err(SyntaxError {
                    line: include.line() + 1,
                    message: include.inner().to_string(),
                });
            }
        }
    }
    Ok(output)
}

/// The text with the definitions of the vocabulary blanked out, if its conditions end.
fn without_vocabulary(source: &str) -> Result<String, SyntaxError> {
    let mut open = 0i32;
    let mut kept = String::with_capacity(source.len());
    for line in source.lines() {
        let mut words = directive(line);
        match words.next() {
            Some("if" | "ifdef" | "ifndef") => open += 1,
            Some("endif") => open -= 1,
            _ => {}
        }
        let is_vocabulary = line.starts_with("#define")
            && words.next().is_some_and(|name| VOCABULARY.contains(&name));
        kept.push_str(if is_vocabulary { "" } else { line });
        kept.push('\n');
    }
    if open > 0 {
        return Err(SyntaxError {
            line: source.lines().count() as u32,
            message: "#if without #endif".into(),
        });
    }
    Ok(kept)
}

/// The names that conditions of `source` test, each once: they select variants of a program.
pub(super) fn tested_names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    for line in source.lines() {
        let mut words = directive(line);
        if let Some("if" | "ifdef" | "ifndef" | "elif") = words.next() {
            let is_name = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
            let tested = words.filter(|word| is_name(word) && *word != "defined");
            names.extend(tested.map(String::from));
        }
    }
    names.sort();
    names.dedup();
    names
}

/// The words of a line that is a directive, its comment left out.
fn directive(line: &str) -> impl Iterator<Item = &str> {
    let words = line.trim_start().strip_prefix('#').unwrap_or("");
    let words = words.split("//").next().unwrap_or("");
    let words = words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
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
        let line = |number| result.lines().nth(number).map(str::trim);
        assert_eq!(line(3), Some("x = (3.0 +   f(3.0, 1e5))"));
        assert_eq!(line(5), Some("y;"));
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
        assert_eq!(
            expanded(source).split_whitespace().collect::<Vec<_>>(),
            ["one", "four"]
        );
        assert_eq!(tested_names(source), ["A", "B"]);
        let with_b = preprocess(source, &["B".into()]).expect("correct");
        assert_eq!(
            with_b.split_whitespace().collect::<Vec<_>>(),
            ["two", "three"]
        );
    }

    #[test]
    fn comments_are_blanked_and_a_macro_may_name_itself() {
        let result = expanded("#define x x.y\na /* b\n c */ x // d\n");
        let lines: Vec<&str> = result.lines().map(str::trim).collect();
        assert_eq!(lines, ["", "a", "x.y"]);
    }

    #[test]
    fn an_unbalanced_condition_is_an_error_with_its_line() {
        let error = preprocess("a\n#endif\n", &[]).expect_err("no #if");
        assert_eq!(
            (error.line, error.message.as_str()),
            (2, "unmatched #endif")
        );
        let error = preprocess("#if 1\na\n", &[]).expect_err("no #endif");
        assert_eq!(
            (error.line, error.message.as_str()),
            (2, "#if without #endif")
        );
    }
}
