//! Global declarations of a program: `uniform stream x;`, `in vec2 centre;`.
//!
//! The driver lists only the uniforms that are used, in no particular order. Passes need every declared one, in
//! source order.

use crate::program::dialect::without_comments;

/// A global variable of one storage class.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    pub kind: String,
    pub name: String,
    /// True inside `#if`, where it may or may not be declared.
    pub conditional: bool,
}

/// The global variables of a storage class (`uniform`, `in`, `out`), in the order of the text.
pub(super) fn declarations(text: &str, storage: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut statement = String::new();
    let (mut depth, mut conditions) = (0, 0);
    let text = without_comments(text);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            match directive.trim_start() {
                condition if condition.starts_with("if") => conditions += 1,
                condition if condition.starts_with("endif") => conditions -= 1,
                _ => {}
            }
            let mut directive = Some(line);
            while directive.is_some_and(|line| line.ends_with('\\')) {
                directive = lines.next();
            }
            continue;
        }
        for character in line.chars().chain(['\n']) {
            match character {
                '{' | '(' => depth += 1,
                '}' | ')' => depth -= 1,
                ';' if depth == 0 => {
                    let declared = variables(&statement, storage);
                    found.extend(declared.map(|(kind, name)| Declaration {
                        kind: kind.to_owned(),
                        name: name.to_owned(),
                        conditional: conditions > 0,
                    }));
                }
                _ if depth == 0 => statement.push(character),
                _ => {}
            }
            // The end of a body also ends a statement.
            if depth == 0 && matches!(character, '}' | ';') {
                statement.clear();
            }
        }
    }
    found
}

/// The type and the names declared by a statement, if it is of this storage class.
fn variables<'a>(
    statement: &'a str,
    storage: &str,
) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = statement.match_indices(storage).find(|&(at, word)| {
        let (before, after) = (&statement[..at], &statement[at + word.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    });
    let declared = words.map_or("", |(at, word)| statement[at + word.len()..].trim_start());
    let precision = ["highp ", "mediump ", "lowp "];
    let declared = precision.iter().fold(declared, |text, precision| {
        text.strip_prefix(precision).unwrap_or(text).trim_start()
    });
    let (kind, names) = declared.split_once(char::is_whitespace).unwrap_or(("", ""));
    let names = names.split(',').map(move |name| {
        let name = name.trim();
        (kind, name.split(|c| !is_word(c)).next().unwrap_or(name))
    });
    names.filter(|(_, name)| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, storage: &str) -> Vec<String> {
        let declared = declarations(text, storage).into_iter();
        let declared = declared.map(|one| format!("{} {}", one.kind, one.name));
        declared.collect()
    }

    #[test]
    fn only_what_stands_outside_functions_is_declared() {
        let text = "#define N 2 \\\n uniform float no;\n// uniform float neither;\n\
                    uniform stream x; uniform highp float a,\n  b;\n\
                    vec2 inside(in vec2 p, out float q) { in vec2 no; return p; }\n\
                    layout(location = 0) in vec2 corner;/* in vec2 no; */\n\
                    uniform vec4 w[2];\nvec4 uniformly;\nfloat within(in float z);\n\
                    const float K = 2.0; flat in float value;\nvoid main() { }\n";
        assert_eq!(names(text, "uniform"), ["stream x", "float a", "float b", "vec4 w"]);
        assert_eq!(names(text, "in"), ["vec2 corner", "float value"]);
        assert!(names(text, "out").is_empty());
    }

    #[test]
    fn declarations_under_a_condition_are_told() {
        let text = "#if A\nuniform stream x;\n#else\n#endif\nuniform stream y;\n";
        let conditional = declarations(text, "uniform").into_iter();
        let conditional: Vec<bool> = conditional.map(|one| one.conditional).collect();
        assert_eq!(conditional, [true, false]);
    }
}
