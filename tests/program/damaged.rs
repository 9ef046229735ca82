//! Damaged and hostile texts.

use fragstream::base::random::SplitMix64;

use super::author::program;

/// Words that a typing error may leave, or a reader of other dialects write.
const WORDS: &str = "vec2 vec3 vec4 float int uint double mat4 bool bvec2 ivec2 sampler2D stream void while do switch \
    case if else for return break continue struct { } ( ) [ ] ; , . ? : = == != += *= %= << & | ^ && ^^ % ++ -- ~ ! - \
    + / * < > 1 3 -1 0 7 999999999 4294967296 1e38 1e999 1e-50 0.0 .0. 60000.0 0x10 0xZ 09 1u 2.0lf 1.0f 1.5.2 \" ' @ \
    \\ $ ` # ## /* */ // gl_FragColor gl_FragCoord gl_FragDepth gl_Position result here fetch texture texelFetch main \
    dFdx fwidth noise1 length min mix reflect cross const uniform in out inout layout precision highp varying \
    attribute x y a b s K k v w t f0 f1 KEEP SUM PICK MINUS NOTHING discard true false ü \0 __LINE__ __VERSION__ \
    GL_core_profile defined .xyzw .xx .q .xr [0] [9] [-1] [1.0] [k]";

/// Lines for the preprocessor.
const LINES: [&str; 17] = [
    "#",
    "#if",
    "#if 1",
    "#if 1 / 0",
    "#if 1.5",
    "#if K",
    "#else",
    "#elif 1",
    "#endif",
    "#define",
    "#define KEEP 1",
    "#define float vec2",
    "#undef SUM",
    "#error no",
    "#include <x>",
    "#version 450",
    "#line 7 3",
];

/// A random program with one to three faults.
pub fn damaged(seed: u64) -> String {
    let mut random = SplitMix64::new(seed ^ 0xDA_3A6E);
    let text = program(seed, true);
    let mut words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let known: Vec<&str> = WORDS.split_whitespace().collect();
    for _ in 0..1 + random.below(3) {
        let (at, other) = (random.below(words.len()), random.below(words.len()));
        let word = known[random.below(known.len())];
        match random.below(10) {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at]),
            2 => words.swap(at, other),
            3 => words[at] = words[other],
            4 => words[at] = words[at].trim_end(),
            5 => words.truncate(at + 1),
            6 => drop(words.splice(at..at, ["\n", LINES[random.below(LINES.len())], "\n"])),
            7 => drop(words.splice(at..at, [word, " "])),
            _ => drop(words.splice(at..=at, [word, " "])),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// Texts that ask for much with little.
pub fn hostile() -> Vec<(&'static str, String)> {
    let main = |body: &str| {
        format!("uniform stream x;\nvoid main() {{ float s = here.x; {body} result = vec4(s); }}\n")
    };
    // s within many beginnings and ends.
    let within = |n: usize, begins: &str, ends: &str| {
        main(&format!("s = {}s{};", begins.repeat(n), ends.repeat(n)))
    };
    let doubling = |body: &str, call: &dyn Fn(u32) -> String| {
        let functions =
            (1..40).map(|n| format!("float f{n}(float v) {{ return {}; }}\n", call(n - 1)));
        format!(
            "float f0(float v) {{ return {body}; }}\n{}{}",
            functions.collect::<String>(),
            main("s = f39(s);")
        )
    };
    let macros = (1..40).map(|n| format!("#define M{n} M{0} M{0}\n", n - 1)).collect::<String>();
    let nested = |depth: usize, of: &str, inner: &str| -> String {
        let heads = (0..depth).map(|k| of.replace('#', &k.to_string()));
        heads.collect::<String>() + inner + &"}".repeat(depth)
    };
    let with_loops = "for (float c# = 0.0; c# < 60000.0; c# += 1.0) {";
    let arrays = |count: usize| -> String {
        (0..count).map(|n| format!("float a{n}[256]; a{n}[2] = 0.0; a{n}[3] = 0.0; ")).collect()
    };
    // A loop whose trip count is data.
    let over_data = |declarations: &str, most: &str, body: &str| {
        let head = format!("for (float k = 0.0; k < min(n, {most}); k += 1.0)");
        let own = main(&format!("{declarations} float n = fetch(x, here).x;\n{head} {{ {body} }}"));
        format!("// EXCEPTION(constant-loops): a test\n{own}")
    };
    vec![
        ("an array of 999999999", main("float v[999999999]; v[0] = s;")),
        ("an array of arrays of bytes", main(&"vec4 v[99999]; ".repeat(50))),
        ("a uniform array", "uniform vec4 w[200000000];\nvoid main() { result = w[0]; }\n".into()),
        ("a global array", "vec4 w[200000000];\nvoid main() { result = w[0]; }\n".into()),
        ("an empty loop of 60000 in another", main(&nested(2, with_loops, ""))),
        ("a loop of 60000 in another", main(&nested(2, with_loops, "s = s * 0.5 + c1;"))),
        (
            "ten loops in each other",
            main(&nested(10, &with_loops.replace("60000", "9"), "s += 1.0;")),
        ),
        (
            "a loop of 65536 additions",
            main("for (float c = 0.0; c < 65536.0; c += 1.0) { s += c; }"),
        ),
        (
            "loops one after another",
            main(&"for (float c = 0.0; c < 9000.0; c += 1.0) { s += c; } ".repeat(40)),
        ),
        ("a loop with tiny steps", main("for (float c = 0.0; c < 1.0; c += 1e-30) { s += c; }")),
        ("a loop to 1e38", main("for (float c = 0.0; c < 1e38; c += 1.0) { }")),
        (
            "a loop of calls",
            doubling("v * 0.5", &|n| format!("f{n}(v)")).replace(
                "s = f39(s);",
                "for (float c = 0.0; c < 9000.0; c += 1.0) { s = f39(s); }",
            ),
        ),
        ("65536 additions", within(65_536, "", " + s")),
        ("65536 additions of numbers", main(&format!("s = 1.0{};", " + 1.0".repeat(65_536)))),
        ("functions that call twice", doubling("v * 0.5", &|n| format!("f{n}(v) + f{n}(v)"))),
        ("functions that call with a call", doubling("v * 0.5", &|n| format!("f{n}(f{n}(v))"))),
        ("macros that double", format!("#define M0 s +\n{macros}{}", main("s = M39 s;"))),
        (
            "macros that double their argument",
            format!("#define D(a) (a + a)\n{}", within(40, "D(", ")")),
        ),
        ("a macro of itself", format!("#define M M + M\n{}", main("s = M;"))),
        ("macros of each other", format!("#define M N N\n#define N M M\n{}", main("s = M;"))),
        ("ten thousand brackets", within(10_000, "(", ")")),
        ("brackets that do not end", main(&format!("s = {}", "(".repeat(50_000)))),
        ("ten thousand blocks", main(&nested(10_000, "{", ""))),
        ("ten thousand signs", within(10_000, "- ", "")),
        ("ten thousand exclamation marks", main(&format!("bool c = {}true;", "! ".repeat(10_000)))),
        ("ten thousand conditions", within(10_000, "s > 0.0 ? s : ", "")),
        ("ten thousand swizzles", main(&format!("s = here{}.x;", ".xy".repeat(10_000)))),
        ("ten thousand indices", main(&format!("s = here{};", "[0]".repeat(10_000)))),
        ("ten thousand assignments in one", main(&format!("{}1.0;", "s = ".repeat(10_000)))),
        ("ten thousand commas", within(10_000, "", ", s")),
        (
            "ten thousand declared in one",
            main(&format!(
                "float v0{};",
                (1..10_000).map(|n| format!(", v{n}")).collect::<String>()
            )),
        ),
        (
            "ten thousand conditions of the preprocessor",
            format!("{}{}", "#if 1\n".repeat(10_000), main("")),
        ),
        (
            "ten thousand brackets of the preprocessor",
            format!("#if {}1{}\n#endif\n{}", "(".repeat(10_000), ")".repeat(10_000), main("")),
        ),
        (
            "ten thousand signs of the preprocessor",
            format!("#if {}1\n#endif\n{}", "- ".repeat(10_000), main("")),
        ),
        (
            "ten thousand macros",
            format!(
                "{}{}",
                (0..10_000).map(|n| format!("#define N{n} {n}.0\n")).collect::<String>(),
                main("")
            ),
        ),
        (
            "a macro with ten thousand arguments",
            format!("#define M(a) a\n{}", main(&format!("s = M({});", "s,".repeat(10_000)))),
        ),
        ("loops around an array", main(&nested(2, with_loops, "float w[256]; s += w[0];"))),
        ("10000 additions", within(10_000, "", " + s")),
        ("120 functions in each other", within(120, "sin(", ")")),
        (
            "20000 functions of a length",
            main("vec4 v = here.xyxy; for (float c = 0.0; c < 20000.0; c += 1.0) v = tan(v);"),
        ),
        ("an if that goes on", main(&"if (s > 1.0) s = 1.0; else ".repeat(90))),
        ("one declaration again and again", main(&"float t = s; t += sin(t * t);\n".repeat(900))),
        (
            "a chain of macros",
            (0..500).map(|k| format!("#define C{} C{k}\n", k + 1)).collect::<String>()
                + &main("s = C500;"),
        ),
        ("macros of one macro", format!("#define F(a) a a\n{}", within(60, "F(", ")"))),
        ("a condition that does not end", format!("#if 1\n{}", main(""))),
        ("arguments that do not end", format!("#define F(a) a\n{}", main("F("))),
        ("a comment that does not end", main(&"/* ".repeat(20_000))),
        ("a line of splices", main(&"\\\n".repeat(40_000))),
        ("a name of 90000 letters", main(&format!("float {} = 1.0;", "v".repeat(90_000)))),
        ("a number of 90000 digits", main(&format!("s = {}.0;", "9".repeat(90_000)))),
        ("a megabyte of nothing", main(&" ".repeat(1_000_000))),
        ("a megabyte of semicolons", main(&";".repeat(1_000_000))),
        ("a text of zeros", "\0".repeat(100_000)),
        (
            "five hundred functions that call the one before",
            (1..500).fold("float f0(float v) { return v; }\n".to_owned(), |text, n| {
                text + &format!("float f{n}(float v) {{ return f{}(v); }}\n", n - 1)
            }) + &main("s = f499(s);"),
        ),
        (
            "fetches of fetches",
            main(&format!("s = {}here{}.x;", "fetch(x, ".repeat(300), ").xy".repeat(300))),
        ),
        ("a loop over data next to fifty arrays", over_data(&arrays(50), "20000.0", "")),
        ("a loop over data that writes arrays", over_data(&arrays(200), "60000.0", "a0[3] += s;")),
        (
            "loops over data in loops over data",
            over_data(
                &arrays(50),
                "200.0",
                "for (float j = 0.0; j < min(n, 200.0); j += 1.0) a1[2] = s;",
            ),
        ),
        (
            "functions with long loops that nobody calls",
            (0..380).fold(String::new(), |text, n| {
                text + &format!("void f{n}() {{ for (float c = 0.; c < 6e4; c++); }}\n")
            }) + &main(""),
        ),
        (
            "a bound of many terms",
            main(&format!("for (float c = 0.0; c < 6e4{}; c++);", " + 0.0 * sin(1.0)".repeat(60))),
        ),
        (
            "many long names, and unknown ones",
            (0..150)
                .fold(String::new(), |text, n| text + &format!("float {n:a>240};\n"))
                .replace("float ", "float b")
                + &main(&(0..200).map(|n| format!("s = c{n:a>240};\n")).collect::<String>()),
        ),
        (
            "a macro with three thousand parameters",
            format!(
                "#define M({}) {}\n{}",
                (0..3_000).map(|n| format!("p{n}")).collect::<Vec<_>>().join(", "),
                "s ".repeat(6_000),
                main(&format!("s = M({});", vec![""; 3_000].join(",")).repeat(8))
            ),
        ),
        (
            "a thousand fetches, each after the one before",
            main(
                "for (float i = 0.0; i < 20.0; i++) for (float j = 0.0; j < 60.0; j++) \
                  s += fetch(x, here + vec2(s, i + 0.5 * j)).x;",
            ),
        ),
        (
            "a constant of constants",
            format!(
                "const float k0 = 1.0;\n{}{}",
                (1..5_000)
                    .map(|n| format!("const float k{n} = k{0} + k{0};\n", n - 1))
                    .collect::<String>(),
                main("s = k4999;")
            ),
        ),
    ]
}
