//! Programs for WebGL 2.
//!
//! Macros in front of a text translate it, so that the text itself, its comments and its line numbers remain.

/// First lines of every program.
const HEAD: &str = include_str!("web.glsl");

/// Sines for programs that may use some: a browser's own would be seen in the coordinates around a wing.
const SINES: &str = include_str!("sines.glsl");

/// First line of every text, below comments if the text is whole.
const VERSION: &str = "#version 330 core";

/// Translates a program of OpenGL 3.3. A vertex program must set the size of points.
pub(super) fn translated(text: &str, is_vertex: bool) -> String {
    let is_version = |line: &&str| line.trim_end() == VERSION;
    let version = text.split_inclusive('\n').find(|line| !line.starts_with("//"));
    let text = match version.filter(is_version) {
        Some(version) => text.replacen(version, "\n", 1),
        None => text.to_owned(),
    };
    // ANGLE reads the largest float as infinity if its last digit is 5; 4 gives the same float.
    let text = text.replace("3.4028235e38", "3.4028234e38");
    let sines = if text.contains("sin") || text.contains("cos") { SINES } else { "" };
    let [before, after] = match is_vertex {
        true => [
            "#define main own_main\n",
            "\n#undef main\nvoid main() { gl_PointSize = 1.0; own_main(); }\n",
        ],
        false => [""; 2],
    };
    format!("#version 300 es\n{HEAD}{sines}{before}{text}{after}")
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn only_macros_and_the_version_translate_a_text() {
        let text =
            "// gl_Position = sampler2DRect, texture(s, p)\n#version 330 core\nvoid main() {}\n";
        for is_vertex in [false, true] {
            let translated = translated(text, is_vertex);
            assert!(translated.starts_with("#version 300 es\n"));
            let (_, own) = translated.split_once("// gl_Position").expect("the comment");
            assert!(
                own.starts_with(" = sampler2DRect, texture(s, p)\n\nvoid main() {}\n"),
                "{own}"
            );
            assert_eq!(translated.contains("gl_PointSize = 1.0"), is_vertex);
            assert_eq!(translated.matches("#version").count(), 1);
        }
    }
}
