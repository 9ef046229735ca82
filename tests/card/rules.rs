//! One tiny bad program a rule.

use fragstream::card::dialect::{Rule, check, exceptions};

/// The rules that a program with this body breaks.
fn broken_by(declarations: &str, body: &str) -> Vec<Rule> {
    let source = format!(
        "// A test of section 1.\n//   result .x something\n//   x .x some data\n\
         uniform stream x;\n{declarations}\nvoid main() {{\n{body}\n}}\n"
    );
    match check("test.frag", &source) {
        Ok(()) => Vec::new(),
        Err(violations) => {
            let mut rules: Vec<_> = violations.iter().map(|violation| violation.rule).collect();
            rules.sort();
            rules.dedup();
            rules
        }
    }
}

#[track_caller]
fn breaks_nothing(declarations: &str, body: &str) {
    assert_eq!(broken_by(declarations, body), [], "{declarations} {body}");
}

#[test]
fn what_existed_in_2003_is_allowed() {
    breaks_nothing("", "result = fetch(x, here);");
    breaks_nothing("", "bool left = here.x < 1.0; result = left ? vec4(1.0) : vec4(0.0);");
    breaks_nothing("", "if (here.x < 1.0) discard; result = dFdx(fetch(x, here));");
    breaks_nothing("uniform vec4 weight[3];", "result = weight[2];");
    breaks_nothing("float twice(float a) { return 2.0 * a; }", "result = vec4(twice(1.0));");
    breaks_nothing(
        "const float N = 4.0;",
        "result = vec4(0.0); for (float c = N - 1.0; c >= 0.0; c -= 0.5) { result += vec4(c); }",
    );
    breaks_nothing(
        "",
        "result = vec4(0.0); for (float c = 0.0; c < ROW_LENGTH; c++) result += vec4(c);",
    );
}

#[test]
fn text_that_is_no_glsl_is_caught_with_its_line() {
    let violations =
        check("a.frag", "// a\nvoid main() {\n  x = * 1.0;\n}\n").expect_err("no GLSL");
    assert_eq!((violations[0].line, violations[0].column), (3, 7));
}

/// A rule, declarations that break it, and bodies that do, after a declaration of `n`.
type Broken<'a> = (Rule, &'a [&'a str], &'a [&'a str]);

#[test]
fn what_did_not_exist_is_caught() {
    let broken: [Broken<'_>; 9] = [
        (Rule::Syntax, &[], &["result = ;"]),
        (
            Rule::Types,
            &[
                "uniform int i;",
                "uniform uint i;",
                "uniform double i;",
                "uniform ivec2 i;",
                "uniform bvec4 i;",
                "uniform dmat3 i;",
                // Both variants of a condition are checked.
                "#ifdef EXACT\nuniform int i;\n#endif",
                "#ifndef EXACT\nuniform int i;\n#endif",
            ],
            &["result = vec4(1);", "float a = float(2u);", "float a = float(int(here.x));"],
        ),
        (Rule::Operators, &[], &["float b = ~n;"]),
        (
            Rule::OneResult,
            &["out vec4 other;"],
            &["gl_FragDepth = 1.0;", "gl_FragData[0] = vec4(1.0);"],
        ),
        (
            Rule::Resources,
            &[
                "uniform sampler2D r;",
                "uniform sampler2DRect r;",
                "uniform samplerBuffer r;",
                "uniform image2D r;",
                "uniform isampler2D r;",
                "uniform atomic_uint r;",
                "uniform Block { vec4 a; } block;",
                "shared float a;",
                "layout(local_size_x = 8) in;",
            ],
            &[],
        ),
        (
            Rule::Functions,
            &[],
            &[
                "result = texture(x, here);",
                "result = texelFetch(x, here);",
                "result = textureOffset(x, here, here);",
                "result = vec4(round(here.x));",
                "result = vec4(isnan(here.x) ? 0.0 : 1.0);",
                "result = vec4(float(gl_PrimitiveID));",
            ],
        ),
        (
            Rule::ConstantLoops,
            &[],
            &[
                "for (float c = 0.0; c < n; c += 1.0) {}",
                "for (float c = n; c < 9.0; c += 1.0) {}",
                "for (float c = 0.0; c < 9.0; c += n) {}",
                "for (float c = 0.0; c < 9.0; c += 1.0) { c = here.x; }",
                "for (float c = 1.0; c < 9.0; c += 0.0) {}",
                "while (here.x < 1.0) {}",
                "do {} while (here.x < 1.0);",
            ],
        ),
        (
            Rule::Recursion,
            &[
                "float f(float a) { return f(a); }",
                "float g(float a); float f(float a) { return g(a); } float g(float a) { return f(a); }",
            ],
            &[],
        ),
        (
            Rule::Branches,
            &[],
            &[
                "if (here.x < 1.0) { result = vec4(1.0); }",
                "if (here.x < 1.0) discard; else result = vec4(1.0);",
                "return; result = vec4(1.0);",
                "for (float c = 0.0; c < 2.0; c += 1.0) { break; }",
                "for (float c = 0.0; c < 2.0; c += 1.0) { continue; }",
            ],
        ),
    ];
    let breaks = |rule, declaration: &str, body: &str| {
        let found = broken_by(declaration, body);
        assert_eq!(found, [rule], "{declaration} {body}");
    };
    for (rule, declarations, bodies) in broken {
        declarations.iter().for_each(|one| breaks(rule, one, ""));
        bodies.iter().for_each(|one| breaks(rule, "uniform float n;", one));
    }
    for operator in ["&", "|", "^", "<<", ">>", "%"] {
        let plain = format!("float b = n {operator} n;");
        let assigning = format!("float b; b {operator}= here.x;");
        breaks(Rule::Operators, "uniform float n;", &plain);
        breaks(Rule::Operators, "", &assigning);
    }
}

#[test]
fn a_ninth_coordinate_is_caught_in_both_programs() {
    let declared = |storage: &str, n: u32| -> String {
        (0..n).map(|i| format!("{storage} vec4 at{i};\n")).collect()
    };
    breaks_nothing(&declared("in", 8), "result = vec4(0.0);");
    let fragment = broken_by(&declared("in", 9), "");
    assert_eq!(fragment, [Rule::EightCoordinates]);
    let vertex = |n| check("a.vert", &format!("{}void main() {{}}", declared("out", n)));
    assert_eq!(vertex(8), Ok(()));
    let violations = vertex(9).expect_err("nine coordinates");
    assert_eq!((violations[0].rule, violations[0].line), (Rule::EightCoordinates, 9));
}

#[test]
fn a_seventeenth_stream_is_caught() {
    let header: String = (0..17).map(|i| format!("//   s{i} .x data\n")).collect();
    let streams = |n| (0..n).map(|i| format!("uniform stream s{i};\n")).collect::<String>();
    let source = |n| {
        format!(
            "{header}//   result .x zero\n{}void main() {{ result = vec4(0.0); }}\n",
            streams(n)
        )
    };
    assert_eq!(check("a.frag", &source(16)), Ok(()));
    let violations = check("a.frag", &source(17)).expect_err("too many");
    assert_eq!((violations[0].rule, violations.len()), (Rule::SixteenStreams, 1));
}

#[test]
fn an_incomplete_header_is_caught() {
    let program = "void main() { result = vec4(0.0); }\n";
    let rules = |file: &str, header: &str| match check(file, &format!("{header}{program}")) {
        Ok(()) => Vec::new(),
        Err(violations) => violations.into_iter().map(|v| v.found).collect::<Vec<_>>(),
    };
    assert_eq!(rules("a.frag", "// Zero.\n//   result  .xyzw  zero\n"), [""; 0]);
    assert_eq!(rules("a.frag", "").len(), 2);
    assert_eq!(rules("a.frag", "// Zero.\n//   result  zero\n").len(), 1);
    assert_eq!(rules("bolz2003/a.frag", "// Zero.\n//   result .x zero\n").len(), 1);
    assert_eq!(rules("bolz2003/a.frag", "// Zero (section 3).\n//   result .x zero\n"), [""; 0]);
    let undescribed = "// Zero.\n//   result .x zero\nuniform stream x, y;\n";
    assert_eq!(rules("a.frag", undescribed).len(), 2);
    assert_eq!(rules("a.vert", ""), [""; 0]);
}

#[test]
fn an_exception_needs_a_known_rule_a_reason_and_a_cause() {
    let source = |exception: &str, ty: &str| {
        format!(
            "// Zero.\n{exception}\n//   result .x zero\nuniform {ty} n;\nvoid main() {{ result = vec4(0.0); }}\n"
        )
    };
    let found = |exception: &str, ty: &str| match check("a.frag", &source(exception, ty)) {
        Ok(()) => Vec::new(),
        Err(violations) => violations.into_iter().map(|v| v.rule).collect(),
    };
    let good = "// EXCEPTION(types): counts exactly";
    assert_eq!(found(good, "int"), []);
    assert_eq!(found(good, "float"), [Rule::Header]);
    assert_eq!(found("// EXCEPTION(types):", "int"), [Rule::Header, Rule::Types]);
    assert_eq!(found("// EXCEPTION(integers): why", "int"), [Rule::Header, Rule::Types]);
    let declared = exceptions(&source(good, "int"));
    assert_eq!(declared.len(), 1);
    assert_eq!((declared[0].rule.as_str(), declared[0].line), ("types", 2));
    assert_eq!(declared[0].reason, "counts exactly");
}

#[test]
fn a_violation_names_file_line_column_rule_and_remedy() {
    let source = |line: &str| {
        format!(
            "// Zero.\n//   result .x zero\n#define TWO vec4(1.0 + 1.0)\nvoid main() {{\n{line}\n}}\n\
             float f(float a) {{ return f(a); }}\n"
        )
    };
    // Every program breaks the rule of recursion in line 7.
    for (line, column, words) in [
        ("result = ;", 10, "unexpected `;` (syntax): write a value"),
        ("result = TWO @ here;", 14, "unexpected `@` (syntax): write `;` before it"),
        ("result = TWO; int i;", 15, "type int (types): use float"),
        ("result = TWO; /* ü */ result *= 3;", 33, "integer 3 (types): use float"),
        ("float a = here.x & here.y;", 18, "operator & (operators): use floor"),
        ("gl_FragDepth = 1.0;", 1, "output gl_FragDepth (one-result): write `result`"),
        ("sampler2D s;", 1, "type sampler2D (resources): declare `uniform"),
        ("result = round(TWO);", 10, "function round (functions): use fetch"),
        ("while (true) {}", 1, "loop: while (constant-loops): use `for"),
        ("if (true) result = TWO;", 1, "if (branches): select with"),
    ] {
        let violations = check("zero.frag", &source(line)).expect_err(line);
        let message = violations[0].to_string();
        let expected = format!("zero.frag:5:{column}: {words}");
        assert!(message.starts_with(&expected), "{line}: {message}");
    }
    let violations = check("zero.frag", &source("result = TWO;")).expect_err("recursion");
    let message = violations[0].to_string();
    let expected = "zero.frag:7:27: function f calls itself (recursion): write the steps out";
    assert!(message.starts_with(expected), "{message}");
    let coordinates =
        "abcdefghi".chars().map(|name| format!("in vec4 {name}; ")).collect::<String>();
    let coordinates = format!("//   result .x zero\n{coordinates}void main() {{}}\n");
    let violations = check("zero.frag", &coordinates).expect_err("nine coordinates");
    let message = violations[0].to_string();
    assert!(message.starts_with("zero.frag:2:97: coordinate i is number 9"), "{message}");
}
