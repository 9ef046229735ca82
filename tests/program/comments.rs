//! Comments change nothing, whatever words are in them.

use fragstream::card::dialect::{check_user, user_source};
use fragstream::gl::Backend;
use fragstream::program::Listing;
use fragstream::program::dialect::functions;
use fragstream::program::interpret::Program;
use fragstream::stream::{Limits, Machine};

use super::agree::Ways;
use super::author;

/// Words of the language, of the prelude and of assembled programs. Declarations (`EXCEPTION(rule): reason` and the
/// like) are comments with a meaning.
const WORDS: [&str; 38] = [
    "gl_Position",
    "gl_Position = placed;",
    "gl_PointSize",
    "gl_FragCoord",
    "gl_FragColor",
    "result",
    "out vec4 result;",
    "#extension GL_ARB_gpu_shader_fp64 : require",
    "# extension GL_ARB_gpu_shader_fp64 : enable",
    "#version 330 core",
    "#version 300 es",
    "#line 1",
    "#define stream sampler2DRect",
    "#define fetch(s, p) texture(s, p)",
    "#define here gl_FragCoord.xy",
    "// The machine that all fragment programs of this project are written for.",
    "#undef N",
    "#if 0",
    "#else",
    "#endif",
    "#error no",
    "sampler2DRect",
    "texture(s, p)",
    "fetch(x, here)",
    "stream x",
    "in float value;",
    "uniform double d;",
    "double",
    "int",
    "while",
    "if (true) discard;",
    "struct S { float a; };",
    "void main() {",
    "}",
    "3.4028235e38",
    "sin(",
    "MARK_OF_THE_PART",
    "\"'`@$",
];

/// The text with a comment of this word behind its line, or in front of everything.
fn with_comment(text: &str, word: &str, line: usize, is_block: bool) -> String {
    let comment = if is_block { format!(" /* {word} */") } else { format!(" // {word}") };
    let lines = text.lines().enumerate().map(|(number, one)| match number == line {
        true if !one.ends_with('\\') => format!("{one}{comment}\n"),
        _ => format!("{one}\n"),
    });
    lines.collect()
}

fn texts() -> Vec<String> {
    let plain = "uniform stream x;\nuniform float s;\n#define N 3.0\nfloat f(float a) {\n    return a * s;\n}\n\
                 void main() {\n    vec4 v = fetch(x, here);\n    for (float c = 0.0; c < N; c += 1.0)\n        \
                 v.x += f(v.y);\n    if (v.x < 0.0) discard;\n    result = vec4(sin(v.x), v.yzw);\n}\n";
    let all = [plain.to_owned()].into_iter();
    all.chain([1, 2, 3].map(|seed| author::program(seed, true))).collect()
}

/// All that is known of a text without a driver.
fn known(text: &str) -> (Listing, String, String) {
    let found = check_user("program", text);
    assert!(found.is_empty(), "{found:?}\n{text}");
    let source = user_source("program", text, Limits::NV30).expect("a correct program");
    let listing = Listing::of(&source.assemble(&[]));
    let listing = listing.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let assembly = listing.arb().expect("assembly").text;
    let program = Program::new(&source.assemble(&[])).expect("a program");
    (listing, assembly, format!("{program:?}"))
}

#[test]
fn no_word_in_a_comment_changes_a_program() {
    let arb = Machine::headless_in(Backend::Arb).expect("this machine has OpenGL");
    let ways = Ways::new(1, true);
    for text in texts() {
        let expected = known(&text);
        let words: Vec<&str> = WORDS.into_iter().chain(functions()).collect();
        let count = text.lines().count();
        for (number, word) in words.iter().enumerate() {
            for is_block in [false, true] {
                let line = (7 * number + usize::from(is_block)) % count;
                let with = with_comment(&text, word, line, is_block);
                assert!(known(&with) == expected, "{word}\n{with}");
            }
            let first = format!("/* {word} */ {text}");
            assert!(known(&first) == expected, "{word}\n{first}");
        }
        let all = words.iter().fold(text.clone(), |text, word| with_comment(&text, word, 0, true));
        let source = user_source("program", &*all, Limits::NV30).expect("a correct program");
        let kernel = arb.kernel(&source, &[]).unwrap_or_else(|error| panic!("{error}\n{all}"));
        assert!(kernel.is_in_assembly(), "{all}");
        let [plain, with] = [&text, &all].map(|text| format!("{:?}", ways.outcome(text)));
        assert!(plain.starts_with("Ok(Drawn") && with == plain, "{with}\n{plain}\n{all}");
    }
}
