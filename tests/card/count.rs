//! Counts by hand.

use std::sync::Arc;

use fragstream::card::count::{Count, count};
use fragstream::card::dialect::functions;

const PRELUDE: &str = include_str!("../../glsl/stream/program/prelude.glsl");

fn assembled(defines: &str, program: &str) -> String {
    format!("#version 330 core\n{defines}\n{PRELUDE}\n{program}")
}

pub fn counted(body: &str) -> Arc<Count> {
    let program = format!(
        "uniform stream x;\nuniform stream y;\nuniform vec4 a;\nuniform vec4 b;\n\
         uniform vec4 c;\nuniform float s;\nvoid main() {{ {body} }}"
    );
    // An instruction reads one of the constants, so that a second one is moved first.
    match count(&assembled("", &program)) {
        Ok(count) => count,
        Err(error) => panic!("{body}: {error}"),
    }
}

/// The instructions of a body, as `2 MUL 1 ADD`, in alphabetical order.
fn kinds(body: &str) -> String {
    let count = counted(body);
    let kinds: Vec<_> = count.by_kind.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    kinds.join(" ")
}

#[test]
fn a_copy_of_a_stream_is_one_fetch() {
    let copy = counted("result = fetch(x, here);");
    assert_eq!((copy.instructions, copy.fetches, copy.arithmetic), (1, 1, 0));
    assert_eq!(copy.dependent_levels, 0);
}

/// What a group of programs is about, and the programs' bodies, each with the instructions that it should take.
type Group<'a> = (&'a str, &'a [(&'a str, &'a str)]);

const SUM: &str =
    "vec4 sum = fetch(x, here); sum += s < a.x ? fetch(y, here) : vec4(0.0); result =";

#[test]
fn instructions_are_those_that_a_hand_would_write() {
    let groups: [Group<'_>; 11] = [
        (
            "a copy of an input or constant is one move",
            &[
                ("result = a;", "1 MOV"),
                ("result = vec4(1.0, 2.0, 3.0, 4.0);", "1 MOV"),
                ("result = vec4(a.xy, b.xy);", "2 MOV"),
                ("result = -fetch(x, here);", "1 MOV 1 TEX"),
                ("result = vec4(fetch(x, here).y);", "1 MOV 1 TEX"),
                ("result = vec4(a.xyz * s, 1.0);", "2 MOV 1 MUL"),
            ],
        ),
        (
            "products in sums are multiply-adds",
            &[
                ("result = a * b + c;", "1 MAD 2 MOV"),
                ("result = c - a * b;", "1 MAD 2 MOV"),
                ("vec4 r = c + b; r += a * b; r -= a * c; result = r;", "1 ADD 2 MAD 2 MOV"),
                ("result = a * b + c * a;", "1 MAD 2 MOV 1 MUL"),
                ("vec4 r = a * b; result = r + r * c;", "1 MAD 1 MOV 1 MUL"),
            ],
        ),
        (
            "a product that is needed by itself is not fused",
            &[
                ("vec4 r = a * b; result = max(r, r + c);", "1 ADD 1 MAX 1 MOV 1 MUL"),
                ("result = abs(a * b) + c;", "1 ADD 1 MOV 1 MUL"),
            ],
        ),
        (
            "negation, absolute values and swizzles are free, and constructors are moves",
            &[
                ("result = min(-a.wzyx, abs(b));", "1 MIN 1 MOV"),
                ("result = max(vec4(a.x, b.y, s, 1.0), c);", "1 MAX 4 MOV"),
                ("vec2 q = a.xy; q.x = b.w; result = min(q.xyxy, c);", "1 MIN 2 MOV"),
                ("result = clamp(a + b, 0.0, 1.0);", "1 ADD 1 MOV"),
                ("result = clamp(a, 0.0, 1.0);", "1 MOV"),
            ],
        ),
        (
            "constants are computed beforehand",
            &[
                ("result = a * (2.0 * 3.0 - sqrt(4.0));", "1 MOV 1 MUL"),
                ("result = a / 3.0;", "1 MOV 1 MUL"),
                ("result = max(a + 0.0, b * 1.0);", "1 MAX 1 MOV"),
                ("result = 1.0 < 2.0 ? a + b : a * b;", "1 ADD 1 MOV"),
            ],
        ),
        (
            "equal instructions count once, and unused ones not at all",
            &[
                ("result = fetch(x, here) * fetch(x, here);", "1 MUL 1 TEX"),
                ("result = fetch(x, here) * fetch(y, here);", "1 MUL 2 TEX"),
                ("vec4 unused = a / b; result = a * b;", "1 MOV 1 MUL"),
            ],
        ),
        (
            "functions that are not an instruction are written out",
            &[
                ("result = vec4(dot(a, b));", "1 DP4 1 MOV"),
                ("result = vec4(dot(a.xyz, b.xyz));", "1 DP3 1 MOV"),
                ("result = vec4(dot(a.xy, b.xy));", "1 MAD 2 MOV 1 MUL"),
                ("result = vec4(length(a.xyz));", "1 DP3 1 RCP 1 RSQ"),
                ("result.xyz = normalize(a.xyz); result.w = s;", "1 DP3 1 MOV 1 MUL 1 RSQ"),
                ("result.xyz = cross(a.xyz, b.xyz); result.w = s;", "1 MAD 3 MOV 1 MUL"),
                ("result = a / s;", "1 MUL 1 RCP"),
                ("result = vec4(1.0 / s);", "1 RCP"),
                ("result.xy = a.xy / b.xy; result.zw = c.zw;", "1 MOV 1 MUL 2 RCP"),
                ("result = mix(a, b, s);", "1 LRP 2 MOV"),
                ("result = mod(a, 4.0);", "1 FLR 1 MAD 1 MOV 1 MUL"),
                ("result = vec4(sqrt(s));", "1 RCP 1 RSQ"),
            ],
        ),
        (
            "a selection is one move for each side after a comparison",
            &[
                ("result = s < a.x ? b : c;", "3 MOV 1 SLT"),
                ("result = s < 0.0 ? b : c;", "3 MOV"),
                // Of NaN, neither s < 0 nor s >= 0 holds.
                ("result = !(s < 0.0) ? b : c;", "1 ADD 3 MOV 1 SLT"),
                ("result = s != 0.0 ? b : c;", "3 MOV"),
                ("result = vec4(s < 0.0);", "1 MOV 1 SLT"),
                ("result = s < a.x && s >= a.y ? b : c;", "4 MOV 1 MUL 1 SGE 1 SLT"),
            ],
        ),
        (
            // A move brings `a` beside `s`, and another one the sum into the result, which nothing reads.
            "a sum that leaves something out costs its comparison only",
            &[
                (&format!("{SUM} sum;"), "1 ADD 2 MOV 1 SLT 2 TEX"),
                (
                    "vec4 sum = fetch(x, here); sum += s < a.x ? a * b : vec4(0.0); result = sum;",
                    "1 MAD 3 MOV 1 SLT 1 TEX",
                ),
            ],
        ),
        (
            "unless the sum itself is needed as well",
            &[(&format!("{SUM} max(sum, fetch(x, here));"), "1 ADD 1 MAX 2 MOV 1 SLT 2 TEX")],
        ),
        (
            "a conditional discard is one kill after what sets the code",
            &[
                ("if (s < 0.0) discard; result = a * b;", "1 KIL 2 MOV 1 MUL"),
                ("if (s < a.x) { discard; } result = a * b;", "1 KIL 2 MOV 1 MUL 1 SLT"),
            ],
        ),
    ];
    for (group, bodies) in groups {
        for (body, expected) in bodies {
            assert_eq!(&kinds(body), expected, "{group}: {body}");
        }
    }
}

#[test]
fn loops_are_unrolled_and_their_counters_cost_nothing() {
    let sum = |n: f32| {
        let source = assembled(
            &format!("#define N {n:.1}"),
            "uniform stream x;\nvoid main() { vec4 sum = vec4(0.0);\n\
             for (float c = 0.0; c < N; c += 1.0) sum += fetch(x, here + vec2(c, 0.0));\n\
             result = sum; }",
        );
        count(&source).expect("a correct program")
    };
    // The first position and the first sum are those of zero: copies.
    assert_eq!(sum(1.0).instructions, 1);
    for n in [2.0, 5.0, 100.0] {
        let count = sum(n);
        assert_eq!(count.fetches, n as u32);
        // One addition does for two positions, where that does not take too many registers.
        let terms = n as u32 - 1;
        let fewest = terms + terms.div_ceil(2);
        assert!((fewest..=2 * terms).contains(&count.arithmetic));
    }
}

#[test]
fn a_loop_that_ends_with_data_counts_as_if_it_ran_as_long_as_it_can() {
    let source = assembled(
        "",
        "uniform stream x;\nuniform stream lengths;\nvoid main() { vec4 sum = vec4(0.0);\n\
         float end = fetch(lengths, here).x;\n\
         for (float c = 0.0; c < min(end, 5.0); c += 1.0) sum += fetch(x, here + vec2(c, 0.0));\n\
         result = sum; }",
    );
    let count = count(&source).expect("a program that can be counted");
    let fetches = count.by_stream.iter().map(|stream| (&*stream.name, stream.all));
    assert_eq!(fetches.collect::<Vec<_>>(), [("x", 5), ("lengths", 1)]);
    // Ten fragments: where all rows are full, and where they have twelve entries together.
    let fetches = |iterations| count.fetches_of(10, iterations).collect::<Vec<_>>();
    assert_eq!(fetches(None), [("x", 50), ("lengths", 10)]);
    assert_eq!(fetches(Some(12)), [("x", 12), ("lengths", 10)]);
}

#[test]
fn functions_are_inlined_with_their_parameters() {
    let program = "uniform stream x;\n\
        float twice(float v) { return v + v; }\n\
        void both(inout vec2 p, out float q, in float r) { p *= r; q = p.x; }\n\
        vec4 at(stream s, vec2 p) { return fetch(s, p); }\n\
        void main() { vec2 p = here; float q; both(p, q, 3.0); \n\
        result = at(x, p) * twice(q); }";
    let count = count(&assembled("", program)).expect("a correct program");
    let kinds: Vec<_> = count.by_kind.clone().into_iter().collect();
    assert_eq!(kinds, [("ADD", 1), ("MUL", 2), ("TEX", 1)]);
}

#[test]
fn dependent_levels_are_the_longest_chain_of_fetches() {
    assert_eq!(counted("result = fetch(x, fetch(y, here).xy);").dependent_levels, 1);
    let chain = "vec2 p = here; p = fetch(x, p).xy + 1.0; p = fetch(y, p * 2.0).xy; \
                 result = fetch(x, p) + fetch(y, here);";
    assert_eq!(counted(chain).dependent_levels, 2);
    // Bolz et al. 2003, section 3.3: R, C, x.
    let product = include_str!("../../glsl/bolz2003/sparse/spmv.frag");
    let product = count(&assembled("#define ROW_LENGTH 6.0", product));
    assert_eq!(product.expect("a correct program").dependent_levels, 2);
}

#[test]
fn arrays_of_uniforms_are_registers_of_which_an_instruction_reads_one() {
    let program = "uniform vec4 w[3];\nvoid main() { result = w[0] * w[1].x + w[2]; }";
    assert_eq!(count(program).expect("correct").instructions, 3);
}

#[test]
fn every_function_that_the_era_allows_can_be_counted() {
    for name in functions().filter(|name| *name != "fetch") {
        let lists = ["(a.xyz)", "(a.xyz, b.xyz)", "(a.xyz, b.xyz, c.xyz)"];
        let countable = lists.iter().any(|list| {
            let program = format!(
                "uniform vec4 a; uniform vec4 b; uniform vec4 c;\n\
                 void main() {{ result = vec4(({name}{list}) + a.x, vec3(1.0)); }}"
            );
            count(&program).is_ok_and(|count| count.instructions > 0)
        });
        assert!(countable, "{name}");
    }
}

#[test]
fn what_cannot_be_counted_is_an_error_with_line_column_and_remedy() {
    let error = |body: &str| {
        let head = "#version 330 core\n#line 1\nuniform float s;\nuniform stream x;\n";
        let counted =
            count(&format!("{head}float f(float a) {{ return a; }}\nvoid main() {{\n{body}\n}}\n"));
        counted.expect_err(body).to_string()
    };
    for (body, column, words) in [
        (
            "for (float c = 0.0; c < s; c += 1.0) {}",
            1,
            "loop: its bound is not constant (constant-loops). Use `for",
        ),
        ("while (s < 1.0) {}", 1, "loop: while (constant-loops). Use `for"),
        ("if (s < 1.0) { result = vec4(s); }", 1, "if (branches). Select with"),
        ("result = texture(s, here);", 10, "function texture (functions). Use fetch"),
        ("float b = round(s);", 11, "function round (functions). Use fetch"),
        ("mat3 m;", 1, "type mat3 (types). Use float"),
        ("result = vec4(missing);", 15, "unknown name `missing` (syntax). Declare it"),
        ("result = vec4(f(s, s));", 15, "`f` of (float, float) (syntax). Give it (float)"),
        ("result = vec4(here.z);", 20, "`.z` of vec2 (syntax). Name one to four"),
        (
            "result = vec3(s) + fetch(x, here);",
            18,
            "`+` of (vec3, vec4) (syntax). Give it (vector, vector)",
        ),
        ("result = fetch(x, here).xy;", 8, "vec2 where vec4 is needed (syntax). Convert"),
        ("result.xy = vec4(s);", 11, "vec4 where vec2 is needed (syntax). Convert"),
        ("float a = fetch(x, here);", 11, "vec4 where float is needed (syntax). Convert"),
    ] {
        let found = error(body);
        let expected = format!("line 5, column {column}: {words}");
        assert!(found.starts_with(&expected), "{body}: {found}");
        let mark = format!("\n   | {}^", " ".repeat(column - 1));
        assert!(found.ends_with(&mark), "{found}");
    }
    let refused = |text: &str| count(text).expect_err(text).to_string();
    assert!(refused("uniform float s;\n").starts_with("line 1, column 16: no function main"));
    assert!(refused("void main() {").contains("unexpected end"));
    let recursive = "float f(float a) { return f(a); }\nvoid main() { result = vec4(f(1.0)); }";
    assert!(refused(recursive).starts_with("line 1, column 27: function f calls itself"));
}

#[test]
fn a_kill_begins_a_phase_if_its_condition_was_computed_in_this_one() {
    let phases = |statement: &str| {
        let text = format!(
            "uniform stream x;\nuniform float a;\nvoid main() {{ vec4 v = fetch(x, here);\n{statement}\nresult = v; }}"
        );
        count(&assembled("", &text)).expect("a program").phases
    };
    assert_eq!(phases(""), 1);
    assert_eq!(phases("if (v.x < a) discard;"), 2);
}
