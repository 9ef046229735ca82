//! The outline of a program: what it declares, without what its functions do.

use super::Stage;
use super::parse::assembled_as;
use super::tree::Tree;

/// Reads the declarations of an assembled program that is known to be right, in less than half of the time. The tree
/// has the functions' heads alone, and faults because of that.
pub(crate) fn outline(source: &str, stage: Stage) -> Tree {
    assembled_as(&without_bodies(source), stage)
}

/// A text without comments, and without what is inside braces except for directives.
fn without_bodies(source: &str) -> String {
    let (mut kept, mut depth) = (String::new(), 0);
    for line in source.lines() {
        if line.trim_start().starts_with('#') {
            kept += line;
        } else {
            let code = line.split_once("//").map_or(line, |(code, _)| code);
            for letter in code.chars() {
                depth -= i32::from(letter == '}');
                if depth == 0 {
                    kept.push(letter);
                }
                depth += i32::from(letter == '{');
            }
        }
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_stay_and_bodies_go() {
        let text = "uniform float k; // not a {\nfloat twice(float x) {\n    if (x > 0.0) { x = k; }\n\
                    #define N 2\n    return x;\n}\nconst float M = float(N);\n";
        let kept = "uniform float k; \nfloat twice(float x) \n\n#define N 2\n\n}\nconst float M = float(N);\n";
        assert_eq!(without_bodies(text).replace('{', ""), kept);
    }
}
