//! The dialect: legal texts are computed as the driver computes them, and everything else is refused with its place.

use fragstream::card::dialect::{Rule, user_source};
use fragstream::program::Listing;
use fragstream::program::interpret::{Program, Run, Texture};
use fragstream::stream::{Format, Limits, Machine, Pass, Rect, Stream};

use crate::common::machine;

/// A program with `v` = (2, 3, 5, 7), which is not known before it runs.
fn whole(outside: &str, body: &str) -> String {
    format!("uniform vec4 v;\n{outside}\nvoid main() {{\n{body}\n}}\n")
}

const V: [f32; 4] = [2.0, 3.0, 5.0, 7.0];

/// What the driver computes, and what the interpreter does.
fn both(machine: &Machine, text: &str) -> [Vec<f64>; 2] {
    let source = user_source("dialect", text, Limits::NV30);
    let source = source.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let kernel = machine.kernel(&source, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let target = Stream::zeros(machine, "target", (1, 1), Format::Rgba32F).expect("memory");
    let pass = Pass::new(&kernel);
    let pass = if kernel.declares("v") { pass.set("v", V) } else { pass };
    pass.draw(&target, target.full()).expect("a pass");
    let driver = target.read().expect("a record").into_iter().map(f64::from).collect();
    let listing = Listing::of(&kernel.text().fragment).expect("a listing");
    let program = Program::of_listing(&listing);
    let mut drawn = Texture::<f64>::zeros((1, 1), 4);
    let run = Run::<f64>::new(&program);
    let run = if program.declares("v") { run.set("v", V.map(f64::from)) } else { run };
    run.draw(&mut drawn, &[Rect::of_size(1, 1)]).expect("all is bound");
    [driver, drawn.data().to_vec()]
}

#[test]
fn legal_texts_are_computed_as_the_driver_computes_them() {
    let machine = machine();
    for (outside, body, expected) in [
        // Comments and lines.
        ("", "float h = v.x; /*/ h *= 3.0; /*/ result = vec4(h);", 2.0),
        ("", "float h = v.x; // continued \\\n h *= 3.0;\n result = vec4(h);", 2.0),
        ("", "flo\\\nat h = v.y; result = vec4(h);", 3.0),
        ("", "flo\\\r\nat h = v.y; result = vec4(h);", 3.0),
        ("", "float a = v.x<=v.y?.5e+1-1.:0.0; result = vec4(a);", 4.0),
        // Conditions are integers.
        ("#if 7 / 2 == 3\n#define R v.x\n#else\n#define R v.y\n#endif", "result = vec4(R);", 2.0),
        ("#if 16777217 == 16777216\n#define R v.x\n#else\n#define R v.y\n#endif", "result = vec4(R);", 3.0),
        ("#if true\n#define R v.x\n#else\n#define R v.y\n#endif", "result = vec4(R);", 3.0),
        ("#if (1 << 2 & 6) != 4 || !1 || -1 > 0\n#error\n#endif", "result = vec4(v.x);", 2.0),
        ("#ifdef A\n#elif __VERSION__ == 330\n#define R v.x\n#else\n#endif", "result = vec4(R);", 2.0),
        ("#if defined here && defined fetch && defined(stream)\n#define R v.x\n#endif", "result = vec4(R);", 2.0),
        ("#ifdef GL_core_profile\n#define R v.x\n#endif", "result = vec4(R);", 2.0),
        // Macros expand to tokens.
        ("#define M -v.x", "result = vec4(-M);", 2.0),
        ("#define M -2.0", "result = vec4(v.x -M);", 4.0),
        ("#define F(a, b) (a b) /* two\nlines */", "result = vec4(F(v.x, + v.y));", 5.0),
        ("#define f g\n#define g(x) (x * 2.0)", "result = vec4(f(v.x));", 4.0),
        ("#define F(a) (a + 1.0)\n#define E", "result = vec4(F(F(F(v.x E))));", 5.0),
        ("float f(float x) { return x; }\n#define f(x) f(x + 1.0)", "result = vec4(f(v.x));", 3.0),
        ("#define N 1.0\n#undef N\n#define N 2.0", "result = vec4(N);", 2.0),
        // Scopes.
        ("const float n = 2.0; float f(float v) { const float n = 4.0; return v * n; }",
            "float s = f(1.0); for (float i = 0.0; i < n; i += 1.0) s += 10.0; result = vec4(s);", 24.0),
        ("", "const float n = 2.0; float s = 0.0; { const float n = 5.0; s += n; }
            for (float i = 0.0; i < n; ++i) { s += v.x; } result = vec4(s);", 9.0),
        ("", "float s = 0.0; for (float i = 0.0; i < 2.0; i++) { for (float i = 0.0; i < 3.0; i++) s += i; s += 10.0 * i; }
            result = vec4(s);", 16.0),
        ("const vec2 d = vec2(3.0, 4.0); const float n = sqrt(d.x * d.x + d.y * d.y);",
            "float s = 0.0; for (float i = n; i > 0.5; i *= 0.5) s += i; result = vec4(s);", 9.375),
        // Channels, conversions, functions.
        ("", "result = vec4(v.wzyx[0] + v.zw[1]);", 14.0),
        ("", "vec4 q = v; q.wzyx[0] = 1.0; q.yx.x = 20.0; result = vec4(q.w + q.y);", 21.0),
        ("", "result = vec4(float(bool(v.x + 0.5)) + float(!bool(v.x)) + float(bool(v.xy)));", 2.0),
        ("", "bool a = v.x > 1.0; bool b = v.y > 9.0; result = vec4(a ^^ b, a == b, a != b, !b);", 1.0),
        ("vec2 f(vec2 a) { return a * 2.0; } float f(float a) { return a * 0.5; }",
            "result = vec4(f(v.xy).y * f(v.x));", 6.0),
        ("void f(inout vec2 a, out float b, const in float c) { a.x += c; b = a.x + a.y; }",
            "vec4 q = v; float b; f(q.yw, b, q.x); result = vec4(b + q.y);", 17.0),
        ("float a[3];", "a[0] = v.x; a[2] = a[0] + v.y; result = vec4(a[2]);", 5.0),
        ("", "float t = v.x; float old = t++; result = vec4(old + 10.0 * t);", 32.0),
        ("", "float t; float u = t = v.x; result = vec4(u + t);", 4.0),
        ("", "float x = v.x; { float x = x + 1.0; result = vec4(x); }", 3.0),
    ] {
        let text = whole(outside, body);
        let [driver, listing] = both(&machine, &text);
        let first = [driver[0], listing[0]];
        assert_eq!(first, [expected; 2], "{text}");
        assert_eq!(driver, listing, "{text}");
    }
}

/// The violations of a text, as in a message.
fn refused(machine: &Machine, text: &str) -> String {
    let source = user_source("a", text, Limits::NV30);
    let kernel = source.and_then(|source| machine.kernel(&source, &[]).map(drop));
    kernel.expect_err(text).to_string()
}

#[test]
fn what_glsl_allows_and_the_dialect_does_not_has_a_rule() {
    let (machine, mut wrong) = (machine(), String::new());
    for (rule, outside, body, column) in [
        (Rule::SideEffects, "", "float t; float u = v.x > 1.0 ? (t = 1.0) : 0.0;", 35),
        (Rule::SideEffects, "", "float t = v.x; bool c = v.x > 1.0 && t++ > 1.0;", 39),
        (
            Rule::SideEffects,
            "void f(out float a) { a = 1.0; } float g(inout float a) { a += 1.0; return a; }",
            "float t = v.x; float u = 1.0 + g(t);",
            32,
        ),
        (
            Rule::SideEffects,
            "float total; float f() { total += 1.0; return total; }",
            "result = vec4(f());",
            15,
        ),
        (
            Rule::ConstantLoops,
            "void f(inout float c) { c += 1.0; }",
            "for (float c = 0.0; c < 4.0; c += 1.0) { f(c); }",
            44,
        ),
        (Rule::ConstantLoops, "", "for (float c = 0.0; c < min(v.x, 4.0); c += 1.0) {}", 1),
        (Rule::Recursion, "float f(float a);", "", 7),
        (Rule::Dialect, "float sin(float a) { return a; }", "", 7),
        (Rule::Dialect, "uniform float a = 1.0;", "", 15),
        (Rule::Dialect, "", "bool c = v.xy == v.zw;", 15),
        (Rule::Dialect, "", "float a[2]; float b[2]; a = b;", 25),
        (Rule::Dialect, "", "float a[300];", 8),
        (Rule::Dialect, "", "float a; a = 1.0, a = 2.0;", 17),
        (Rule::Recursion, "float f(float a) { return f(a); }", "", 27),
        (Rule::Resources, "flat in float a;", "", 1),
        (Rule::Types, "struct S { float a; };", "", 1),
        (Rule::Functions, "", "result = vec4(atan(v.x));", 15),
    ] {
        let line = if body.is_empty() { 2 } else { 4 };
        let expected = format!("a:{line}:{column}: ");
        let text = whole(outside, body);
        let found = refused(&machine, &text);
        let is_right =
            found.starts_with(&expected) && found.contains(&format!("({})", rule.name()));
        wrong += &if is_right { String::new() } else { format!("{expected} {text}{found}\n") };
    }
    assert_eq!(wrong, "");
}

#[test]
fn a_variable_that_is_read_before_it_is_written_is_refused_with_its_place() {
    let (machine, mut wrong) = (machine(), String::new());
    for (outside, body, line, column, what) in [
        ("", "float s; s += v.x; result = vec4(s);", 4, 10, "`s`"),
        ("", "float s; for (float c = 0.0; c < 3.0; c++) s += c; result = vec4(s);", 4, 44, "`s`"),
        ("", "vec2 q; q.x = 1.0; result = vec4(q, q);", 4, 34, "`q.y`"),
        ("", "vec4 q; q.zx = v.xy; result = vec4(q.wx, q.yz);", 4, 36, "`q.w`"),
        ("", "vec2 q; q.x += 1.0; result = v;", 4, 9, "`q.x`"),
        ("", "float a[2]; a[0] = 1.0; result = vec4(a[0] + a[1]);", 4, 46, "`a[1]`"),
        ("", "bool b; result = b ? v : -v;", 4, 18, "`b`"),
        ("", "float s; float t = s++; result = vec4(t);", 4, 20, "`s`"),
        ("", "float s; if (s > 1.0) discard; result = v;", 4, 14, "`s`"),
        ("", "float s; if (v.x > 1.0) discard; result = vec4(s);", 4, 48, "`s`"),
        ("", "result.xyz = v.xyz; result = 2.0 * result;", 4, 36, "`result.w`"),
        (
            "",
            "for (float c = 0.0; c < 2.0; c++) { float s; s += c; result = vec4(s); }",
            4,
            46,
            "`s`",
        ),
        ("float g;", "result = vec4(g);", 4, 15, "`g`"),
        ("float g; void f() { g += 1.0; }", "f(); result = vec4(g);", 2, 21, "`g`"),
        (
            "float g; float f() { return g; } float h() { return f(); }",
            "result = vec4(h());",
            2,
            29,
            "`g`",
        ),
        ("void f(out float a) { a += 1.0; }", "float s; f(s); result = vec4(s);", 2, 23, "`a`"),
        (
            "void f(out vec2 a) { a.x = 1.0; }",
            "vec2 s = v.xy; f(s); result = s.xyxy;",
            4,
            31,
            "`s.y`",
        ),
        ("void f(inout float a) { a += 1.0; }", "float s; f(s); result = vec4(s);", 4, 12, "`s`"),
        ("void f(out float a) { }", "float s = 1.0; f(s); result = vec4(s);", 4, 36, "`s`"),
    ] {
        let text = whole(outside, body);
        let found = refused(&machine, &text);
        let expected = format!("a:{line}:{column}: {what} is read before it is written (dialect).");
        wrong += &if found.starts_with(&expected) {
            String::new()
        } else {
            format!("{expected}\n{text}{found}\n")
        };
    }
    // A loop whose trip count is data may not run.
    let body = "float s; float n = v.x; for (float c = 0.0; c < min(n, 3.0); c++) s = c; result = vec4(s);";
    let text = whole("", body);
    let text = format!("// EXCEPTION(constant-loops): a test\n{text}");
    let found = refused(&machine, &text);
    assert!(found.contains("`s` is read before it is written"), "{found}");
    assert_eq!(wrong, "");
}

#[test]
fn a_result_that_is_not_written_is_refused_with_its_channels() {
    let machine = machine();
    for (outside, body, what) in [
        ("", "vec4 a = v;", "result"),
        ("", "result.x = v.x;", "result.yzw"),
        ("", "result.xz = v.xz; result.y = 1.0;", "result.w"),
        ("void f() { result.xy = v.xy; }", "f();", "result.zw"),
        ("void f(out vec2 a) { a.x = 1.0; }", "result = v; f(result.zw);", "result.w"),
    ] {
        let found = refused(&machine, &whole(outside, body));
        assert!(
            found.starts_with(&format!("a:3:6: `{what}` is not written (dialect).")),
            "{found}"
        );
    }
    for (outside, body) in [
        ("void f() { result = v; }", "f();"),
        ("", "result.xy = v.xy; result.zw = v.zw;"),
        ("", "if (v.x < 0.0) discard; result = v;"),
    ] {
        both(&machine, &whole(outside, body));
    }
}

#[test]
fn an_exception_does_not_excuse_an_unwritten_result() {
    let machine = machine();
    let native = "#extension GL_ARB_gpu_shader_fp64 : require\n";
    for (rule, before, body) in [
        ("constant-loops", "", "float n = v.x; for (float c = 0.0; c < min(n, 3.0); c++) n = c;"),
        ("types", native, "double n = double(1.0);"),
        ("operators", "", "float n = v.x & v.y;"),
    ] {
        let text = whole("", body);
        let text = format!("// EXCEPTION({rule}): a test\n{before}{text}");
        let found = refused(&machine, &text);
        assert!(found.contains("`result` is not written"), "{rule}: {found}");
    }
}

#[test]
fn a_variable_that_is_written_first_is_not_refused() {
    let machine = machine();
    for (outside, body) in [
        ("", "float s; s = v.x; result = vec4(s);"),
        ("", "vec4 q; q.xy = v.xy; q.zw = q.yx; result = q;"),
        ("", "vec2 q; q.x = 1.0; result = vec4(q.x);"),
        ("", "float a[3]; a[1] = v.x; result = vec4(a[1]);"),
        ("", "float s; float t = s = v.x; result = vec4(s + t);"),
        ("", "float s; for (float c = 0.0; c < 3.0; c++) { s = c; result = vec4(s); }"),
        ("", "float s; for (float c = 3.0; c < 3.0; c++) { result = vec4(s); } result = v;"),
        ("float g; void f() { g = 1.0; }", "f(); result = vec4(g);"),
        ("float g; float f() { return g; }", "g = v.x; result = vec4(f());"),
        ("void f(out vec2 a) { a.x = 1.0; }", "vec2 s; f(s); result = vec4(s.x);"),
        (
            "void f(out vec2 a, float b) { a = vec2(b); }",
            "vec4 s; f(s.wy, 1.0); s.xz = s.yw; result = s;",
        ),
        ("float f(float a) { a += 1.0; return a; }", "result = vec4(f(v.x));"),
        ("float g; float f() { return g; }", "result = v;"),
    ] {
        let text = whole(outside, body);
        let source = user_source("a", &*text, Limits::NV30)
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        machine.kernel(&source, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

#[test]
fn what_glsl_refuses_is_refused_with_its_place() {
    let (machine, mut wrong) = (machine(), String::new());
    for (outside, body, column, what) in [
        ("", "result = vec4(min(v.xyz, v.xy), 1.0);", 15, "`min` of (vec3, vec2)"),
        ("", "result = vec4(v.x > 1.0 ? v.xyz : v.xy, 1.0);", 25, "`?:` of (bool, vec3, vec2)"),
        ("void f() { }", "if (f()) discard;", 5, "void where bool is needed"),
        ("", "v.x = 1.0;", 1, "an assignment to `v`"),
        ("", "float a; float a;", 16, "second declaration of a"),
        ("", "float a; /* ü\n */ fl\\\noat b; float a;", 14, "second declaration of a"),
        ("", "for (float c = 0.0; c < 1.0; c += 1.0) { float c; }", 48, "second declaration of c"),
        ("", "float s = v.x; s = s.xxxx.x;", 22, "`.xxxx` of float"),
        ("", "vec2 q; q.xx = v.xy;", 9, "a channel assigned twice"),
        ("", "result = vec4(v.xg, v.xy);", 17, "`.xg` of vec4"),
        ("", "result = vec4(v[4]);", 17, "index `4` of 4 elements"),
        ("", "result = vec4(v[0.5]);", 17, "index `0.5` of 4 elements"),
        ("", "result = vec4(v.xy, 1.0);", 10, "vec4(vec2, float)"),
        ("", "result = vec4(vec2(v.xy, 1.0), 1.0, 1.0);", 15, "vec2(vec2, float)"),
        ("", "float filter = 1.0;", 7, "`filter` as a name"),
        ("", "float gl_a = 1.0;", 7, "`gl_a` as a name"),
        ("float f(float a) { a = 1.0; }", "", 7, "without a value"),
        ("#define A 1\n#define A 2", "", 2, "#define A"),
        ("#define A(a a", "", 2, "#define A"),
        ("#define A a ## b", "", 2, "#define A"),
        ("#if 1 / 0\n#endif", "", 7, "1 / 0"),
        ("#ifdef GL_ARB_texture_rectangle\n#endif", "", 8, "differs between drivers"),
        ("#version 450", "", 2, "#version 450"),
        ("#include <a>", "", 2, "#include"),
        ("void main() { }", "", 6, "second definition of main"),
    ] {
        let text = whole(outside, body);
        let found = refused(&machine, &text);
        let place = format!(":{column}: ");
        let first = found.lines().next().expect("a line");
        let is_right = first.contains(what) && first.contains(&place);
        wrong += &if is_right { String::new() } else { format!("{column} {text}{found}\n") };
    }
    assert_eq!(wrong, "");
}

#[test]
fn all_faults_are_reported_at_once_each_with_its_line_and_a_mark() {
    let text = "uniform stream x;\nvoid main() {\n\tvec3 a = fetch(x, hare);\n    float b = 1;\n    \
                result = vec4(a, b) +;\n    result = sine(a.x);\n}\n";
    let found = refused(&machine(), text);
    let expected = "a:3:11: vec4 where vec3 is needed (syntax). Convert with a constructor or a swizzle.\n \
                    3 | \tvec3 a = fetch(x, hare);\n   | \t         ^\n\
                    a:4:15: integer 1 (types). Use float, vec2, vec3, vec4 or a single bool.\n \
                    4 |     float b = 1;\n   |               ^\n\
                    a:5:26: unexpected `;` (syntax). Write a value: a name, a number, a call or `(`.\n \
                    5 |     result = vec4(a, b) +;\n   |                          ^\n\
                    a:6:14: function sine (functions). ";
    assert!(found.starts_with(expected), "{found}");
    let counted = "void main() {\nfor (int i = 0; i < 4; i++) { result += i; }\n}\n";
    let expected = "a:2:6: type int (types). Use float, vec2, vec3, vec4 or a single bool.\n 2 | for (int i = 0; \
                    i < 4; i++) { result += i; }\n   |      ^";
    assert_eq!(refused(&machine(), counted), expected);
    // Unknown names are reported when the program is assembled.
    let text = text.replace("vec3 a", "vec4 a").replace("= 1;", "= 1.0;").replace(" +;", ";");
    let found = refused(&machine(), &text.replace("vec4(a, b)", "a").replace("sine(a.x)", "a"));
    assert!(
        found.starts_with("a:3:20: unknown name `hare` (syntax). Did you mean `here`?"),
        "{found}"
    );
}
