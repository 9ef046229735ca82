//! Size limits of a program. They bound the recursion of the parser and of the walks over its tree, and the
//! driver's compile time.

use std::collections::BTreeMap;

use super::preprocess::{SyntaxError, Tokens};

/// Maximum number of characters. The papers' programs have up to 6 000.
pub(super) const LONGEST_TEXT: usize = 100_000;

/// Maximum number of tokens after expansion of macros and inlining of functions. The papers' programs have up
/// to 1 300.
const MOST_TOKENS: usize = 10_000;

/// Maximum number of tokens of a statement. It bounds the depth of its tree, because `a + a + a` adds a level
/// per term.
pub(super) const LONGEST_STATEMENT: usize = 500;

/// Maximum nesting of blocks, of macro calls, and of `else if` in a function.
pub(super) const DEEPEST: usize = 64;

/// Checks the size of a text without comments and macros.
pub(super) fn check(text: &str) -> Result<(), SyntaxError> {
    let mut functions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (mut line, mut all, mut statement) = (1, 0, 0);
    let (mut brackets, mut braces, mut elses) = (0_usize, 0_usize, 0);
    let (mut last, mut name) = ("", "");
    for token in Tokens(text).filter(|token| *token == "\n" || !token.trim().is_empty()) {
        if token == "\n" {
            line += 1;
            continue;
        }
        all += 1;
        statement += 1;
        match token {
            "(" => {
                if brackets + braces == 0 {
                    name = last;
                }
                brackets += 1;
            }
            ")" => brackets = brackets.saturating_sub(1),
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            "else" => elses += 1,
            _ => {}
        }
        if braces > 0 {
            functions.entry(name).or_default().push(token);
        } else {
            elses = 0;
        }
        let fault = if all > MOST_TOKENS {
            Some(format!("the program has more than {MOST_TOKENS} tokens"))
        } else if statement > LONGEST_STATEMENT {
            Some(format!("a statement has more than {LONGEST_STATEMENT} tokens"))
        } else if braces + elses > DEEPEST {
            Some(format!("blocks nest deeper than {DEEPEST}"))
        } else {
            None
        };
        if let Some(fault) = fault {
            let message = format!("{fault}, with its macros expanded. Shorten it.");
            return Err(SyntaxError::in_line(line, message));
        }
        // The header of a loop contains semicolons, but is not several statements.
        if matches!(token, "{" | "}") || token == ";" && brackets == 0 {
            statement = 0;
        }
        last = token;
    }
    let mut known = BTreeMap::new();
    let longest = functions.keys().find(|name| inlined(name, &functions, &mut known) > MOST_TOKENS);
    longest.map_or(Ok(()), |name| {
        let message = format!(
            "function {name} has more than {MOST_TOKENS} tokens, including its calls. Shorten it."
        );
        Err(SyntaxError::in_line(1, message))
    })
}

/// Tokens of a function with all its calls inlined.
fn inlined<'a>(
    name: &'a str,
    functions: &BTreeMap<&'a str, Vec<&'a str>>,
    known: &mut BTreeMap<&'a str, usize>,
) -> usize {
    let Some(body) = functions.get(name) else {
        return 1;
    };
    if let Some(&tokens) = known.get(name) {
        return tokens;
    }
    // A function that calls itself violates another rule.
    known.insert(name, 0);
    let tokens = body
        .iter()
        .fold(0_usize, |sum, token| sum.saturating_add(inlined(token, functions, known)));
    known.insert(name, tokens);
    tokens
}

#[cfg(test)]
mod tests {
    use super::super::syntax::Syntax;

    fn message(text: &str) -> String {
        let parsed = Syntax::parse(text, &[]);
        parsed.map_or_else(|error| error.to_string(), |_| String::new())
    }

    /// A function `main` around a body.
    fn main(body: &str) -> String {
        format!("void main() {{\n{body}\n}}\n")
    }

    #[test]
    fn long_and_deep_texts_are_refused_before_anything_recurses() {
        let h = "float h = 1.0;\n";
        let sum = |n: usize| format!("{h}h = h{};", " + h".repeat(n));
        let eight =
            |name: &str, of: &str| format!("#define {name} {of}{}\n", format!("+{of}").repeat(7));
        let macros = ["h", "A", "B", "C", "D", "E"];
        let macros: String = macros.windows(2).map(|pair| eight(pair[1], pair[0])).collect();
        let nothing = ["Z", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"];
        let nothing: String = nothing
            .windows(2)
            .map(|pair| format!("#define {}() {}\n", pair[1], format!("{}()", pair[0]).repeat(9)))
            .collect();
        let names: Vec<String> = (0..200).map(|k| format!("M{k}")).collect();
        let nested: String =
            names.windows(2).map(|pair| format!("#define {} {}\n", pair[0], pair[1])).collect();
        let functions: String = (0..6)
            .map(|k| {
                format!(
                    "float f{}(float h) {{ return {}; }}\n",
                    k + 1,
                    vec![format!("f{k}(h)"); 8].join(" + ")
                )
            })
            .collect();
        let forward = format!(
            "float f6(float h);\n{}float f0(float h) {{ return h; }}\n{functions}",
            main("f6(1.0);")
        );
        let statements = |n: usize| main(&format!("{h}{}", "h += sin(h * h);\n".repeat(n)));
        for (text, expected) in [
            (main(&sum(20_000)), "line 3, column 1: a statement has more than 500 tokens"),
            (
                format!("{macros}{}", main(&format!("{h}h = E;"))),
                "line 8, column 1: a statement has more",
            ),
            (
                format!("#define Z()\n{nothing}{}", main("K();")),
                "more than 100000 tokens are expanded",
            ),
            (format!("{nested}{}", main("M0;")), "macros nest deeper than 64"),
            (
                format!("#define F(x) x\n{}", main(&("F(".repeat(999) + &")".repeat(999) + ";"))),
                "nest deeper",
            ),
            (
                format!("#if {}1\n#endif\n", "!".repeat(9_000)),
                "line 1, column 1: #if has more than 500 tokens",
            ),
            (main(&"{".repeat(999)), "blocks nest deeper than 64"),
            (
                main(&format!("{h}if (h > 0.0) h;{}", " else if (h > 0.0) h;".repeat(999))),
                "blocks nest",
            ),
            (
                main(&format!("{h}{}", "for (float c = 0.0; c < 2.0; c += 1.0) ".repeat(999))),
                "a statement",
            ),
            (forward, "function f4 has more than 10000 tokens, including its calls"),
            (statements(3_000), "the program has more than 10000 tokens"),
            (" ".repeat(100_001), "longer than 100000 characters"),
        ] {
            let message = message(&text);
            assert!(message.contains(expected), "{expected}: {message}");
        }
        for text in [main(&sum(240)), statements(900)] {
            assert_eq!(message(&text), "");
            // The walk over the tree does not overflow the stack either.
            let walked = super::super::check_user("a.frag", &text);
            assert!(walked.is_empty(), "{walked:?}");
        }
    }
}
