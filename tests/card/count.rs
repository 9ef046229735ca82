//! Counts by hand.

use std::sync::Arc;

use fragstream::card::count::{Count, CountError, count};
use fragstream::card::dialect::FUNCTIONS;

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
    let kinds: Vec<_> = count
        .by_kind
        .iter()
        .map(|(kind, n)| format!("{n} {kind}"))
        .collect();
    kinds.join(" ")
}

#[test]
fn a_copy_of_a_stream_is_one_fetch() {
    let copy = counted("result = fetch(x, here);");
    assert_eq!(
        (copy.instructions, copy.fetches, copy.arithmetic),
        (1, 1, 0)
    );
    assert_eq!(copy.dependent_levels, 0);
}

#[test]
fn a_copy_of_an_input_or_constant_is_one_move() {
    assert_eq!(kinds("result = a;"), "1 MOV");
    assert_eq!(kinds("result = vec4(1.0, 2.0, 3.0, 4.0);"), "1 MOV");
    assert_eq!(kinds("result = vec4(a.xy, b.xy);"), "2 MOV");
    assert_eq!(kinds("result = -fetch(x, here);"), "1 MOV 1 TEX");
    assert_eq!(kinds("result = vec4(fetch(x, here).y);"), "1 MOV 1 TEX");
    assert_eq!(kinds("result = vec4(a.xyz * s, 1.0);"), "2 MOV 1 MUL");
}

#[test]
fn products_in_sums_are_multiply_adds() {
    assert_eq!(kinds("result = a * b + c;"), "1 MAD 2 MOV");
    assert_eq!(kinds("result = c - a * b;"), "1 MAD 2 MOV");
    assert_eq!(
        kinds("vec4 r = c + b; r += a * b; r -= a * c; result = r;"),
        "1 ADD 2 MAD 2 MOV"
    );
    assert_eq!(kinds("result = a * b + c * a;"), "1 MAD 2 MOV 1 MUL");
    assert_eq!(
        kinds("vec4 r = a * b; result = r + r * c;"),
        "1 MAD 1 MOV 1 MUL"
    );
}

#[test]
fn a_product_that_is_needed_by_itself_is_not_fused() {
    assert_eq!(
        kinds("vec4 r = a * b; result = max(r, r + c);"),
        "1 ADD 1 MAX 1 MOV 1 MUL"
    );
    assert_eq!(kinds("result = abs(a * b) + c;"), "1 ADD 1 MOV 1 MUL");
}

#[test]
fn negation_absolute_values_and_swizzles_are_free_and_constructors_are_moves() {
    assert_eq!(kinds("result = min(-a.wzyx, abs(b));"), "1 MIN 1 MOV");
    assert_eq!(
        kinds("result = max(vec4(a.x, b.y, s, 1.0), c);"),
        "1 MAX 4 MOV"
    );
    assert_eq!(
        kinds("vec2 q = a.xy; q.x = b.w; result = min(q.xyxy, c);"),
        "1 MIN 2 MOV"
    );
    assert_eq!(kinds("result = clamp(a + b, 0.0, 1.0);"), "1 ADD 1 MOV");
    assert_eq!(kinds("result = clamp(a, 0.0, 1.0);"), "1 MOV");
}

#[test]
fn constants_are_computed_beforehand() {
    assert_eq!(
        kinds("result = a * (2.0 * 3.0 - sqrt(4.0));"),
        "1 MOV 1 MUL"
    );
    assert_eq!(kinds("result = a / 3.0;"), "1 MOV 1 MUL");
    assert_eq!(kinds("result = max(a + 0.0, b * 1.0);"), "1 MAX 1 MOV");
    assert_eq!(kinds("result = 1.0 < 2.0 ? a + b : a * b;"), "1 ADD 1 MOV");
}

#[test]
fn equal_instructions_count_once_and_unused_ones_not_at_all() {
    assert_eq!(
        kinds("result = fetch(x, here) * fetch(x, here);"),
        "1 MUL 1 TEX"
    );
    assert_eq!(
        kinds("result = fetch(x, here) * fetch(y, here);"),
        "1 MUL 2 TEX"
    );
    assert_eq!(kinds("vec4 unused = a / b; result = a * b;"), "1 MOV 1 MUL");
}

#[test]
fn functions_that_are_no_instruction_are_written_out() {
    assert_eq!(kinds("result = vec4(dot(a, b));"), "1 DP4 1 MOV");
    assert_eq!(kinds("result = vec4(dot(a.xyz, b.xyz));"), "1 DP3 1 MOV");
    assert_eq!(
        kinds("result = vec4(dot(a.xy, b.xy));"),
        "1 MAD 2 MOV 1 MUL"
    );
    assert_eq!(kinds("result = vec4(length(a.xyz));"), "1 DP3 1 RCP 1 RSQ");
    assert_eq!(kinds("result.xyz = normalize(a.xyz);"), "1 DP3 1 MUL 1 RSQ");
    assert_eq!(
        kinds("result.xyz = cross(a.xyz, b.xyz);"),
        "1 MAD 2 MOV 1 MUL"
    );
    assert_eq!(kinds("result = a / s;"), "1 MUL 1 RCP");
    assert_eq!(kinds("result = vec4(1.0 / s);"), "1 RCP");
    assert_eq!(kinds("result.xy = a.xy / b.xy;"), "1 MUL 2 RCP");
    assert_eq!(kinds("result = mix(a, b, s);"), "1 LRP 2 MOV");
    assert_eq!(kinds("result = mod(a, 4.0);"), "1 FLR 1 MAD 1 MOV 1 MUL");
    assert_eq!(kinds("result = vec4(sqrt(s));"), "1 RCP 1 RSQ");
}

#[test]
fn a_selection_is_one_move_for_each_side_after_a_comparison() {
    assert_eq!(kinds("result = s < a.x ? b : c;"), "3 MOV 1 SLT");
    assert_eq!(kinds("result = s < 0.0 ? b : c;"), "3 MOV");
    assert_eq!(kinds("result = !(s < 0.0) ? b : c;"), "3 MOV");
    assert_eq!(kinds("result = vec4(s < 0.0);"), "1 MOV 1 SLT");
    assert_eq!(
        kinds("result = s < a.x && s >= a.y ? b : c;"),
        "4 MOV 1 MUL 1 SGE 1 SLT"
    );
}

#[test]
fn a_sum_that_leaves_something_out_costs_its_comparison_only() {
    let sum = "vec4 sum = fetch(x, here); sum += s < a.x ? fetch(y, here) : vec4(0.0);";
    // A move brings `a` beside `s`, and another one the sum into the result, which nothing reads.
    assert_eq!(
        kinds(&format!("{sum} result = sum;")),
        "1 ADD 2 MOV 1 SLT 2 TEX"
    );
    let products = "vec4 sum = fetch(x, here); sum += s < a.x ? a * b : vec4(0.0); result = sum;";
    assert_eq!(kinds(products), "1 MAD 3 MOV 1 SLT 1 TEX");
    // The sum itself is needed as well, so it cannot be overwritten.
    let kept = format!("{sum} result = max(sum, fetch(x, here));");
    assert_eq!(kinds(&kept), "1 ADD 1 MAX 2 MOV 1 SLT 2 TEX");
}

#[test]
fn a_conditional_discard_is_one_kill_after_what_sets_the_code() {
    assert_eq!(
        kinds("if (s < 0.0) discard; result = a * b;"),
        "1 KIL 2 MOV 1 MUL"
    );
    assert_eq!(
        kinds("if (s < a.x) { discard; } result = a * b;"),
        "1 KIL 2 MOV 1 MUL 1 SLT"
    );
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
    let fetches: Vec<u32> = count.by_stream.iter().map(|stream| stream.all).collect();
    assert_eq!(fetches, [5, 1]);
    // Ten fragments: where all rows are full, and where they have twelve entries together.
    let fetches = |iterations| count.fetches_of(10, iterations).collect::<Vec<_>>();
    assert_eq!(fetches(None), [50, 10]);
    assert_eq!(fetches(Some(12)), [12, 10]);
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
    assert_eq!(
        counted("result = fetch(x, fetch(y, here).xy);").dependent_levels,
        1
    );
    let chain = "vec2 p = here; p = fetch(x, p).xy + 1.0; p = fetch(y, p * 2.0).xy; \
                 result = fetch(x, p) + fetch(y, here);";
    assert_eq!(counted(chain).dependent_levels, 2);
}

#[test]
fn arrays_of_uniforms_are_registers_of_which_an_instruction_reads_one() {
    let program = "uniform vec4 w[3];\nvoid main() { result = w[0] * w[1].x + w[2]; }";
    assert_eq!(count(program).expect("correct").instructions, 3);
}

#[test]
fn every_function_that_the_era_allows_can_be_counted() {
    let untested = ["fetch", "asin", "acos", "atan"]; // No instructions; nobody needs them yet.
    for name in FUNCTIONS.split(' ').filter(|name| !untested.contains(name)) {
        let countable = ["(a.xyz)", "(a.xyz, b.xyz)", "(a.xyz, b.xyz, c.xyz)"]
            .iter()
            .any(|list| {
                let program = format!(
                    "uniform vec4 a; uniform vec4 b; uniform vec4 c;\n\
                 void main() {{ result = vec4(({name}{list}).x); }}"
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
        let counted = count(&format!(
            "{head}float f(float a) {{ return a; }}\nvoid main() {{\n{body}\n}}\n"
        ));
        counted.expect_err(body).to_string()
    };
    for (body, column, words) in [
        (
            "for (float c = 0.0; c < s; c += 1.0) {}",
            1,
            "a loop: its bound is not constant. Use `for",
        ),
        (
            "while (s < 1.0) {}",
            1,
            "a loop without a trip count. Use `for",
        ),
        (
            "if (s < 1.0) { result = vec4(s); }",
            1,
            "a branch. Select with",
        ),
        (
            "result = texture(s, here);",
            10,
            "function texture. Use fetch",
        ),
        ("float b = round(s);", 11, "function round. Use fetch"),
        ("mat3 m;", 1, "type mat3. Use float"),
        (
            "result = vec4(missing);",
            15,
            "`missing` as a value. Declare it",
        ),
        (
            "result = vec4(f(s, s));",
            15,
            "a call of f with 2 arguments. Give one",
        ),
        (
            "result = vec4(here.z);",
            15,
            "a channel that is not there. Name",
        ),
        (
            "result = vec3(s) + fetch(x, here);",
            10,
            "operands of different sizes. Use vectors",
        ),
        (
            "result = fetch(x, here).xy;",
            1,
            "an assignment of 2 channels to 4. Convert",
        ),
        (
            "result.xy = vec4(s);",
            1,
            "an assignment of 4 channels to 2. Convert",
        ),
        (
            "float a = fetch(x, here);",
            11,
            "an assignment of 4 channels to 1. Convert",
        ),
    ] {
        let found = error(body);
        let expected = format!("line 5, column {column}: cannot assemble {words}");
        assert!(found.starts_with(&expected), "{body}: {found}");
        assert!(found.ends_with('.'), "{found}");
    }
    assert_eq!(count("uniform float s;\n"), Err(CountError::NoMain));
    assert!(matches!(count("void main() {"), Err(CountError::Syntax(_))));
    let recursive = "float f(float a) { return f(a); }\nvoid main() { result = vec4(f(1.0)); }";
    assert!(matches!(
        count(recursive),
        Err(CountError::Unsupported { line: 1, .. })
    ));
}

mod of_the_paper {
    //! Bolz et al. 2003, section 3.3: product 33 (21 fetches), reduction 10 (4 fetches).

    use super::*;

    fn product(off_diagonals: u32) -> Arc<Count> {
        let defines = format!("#define ROW_LENGTH {off_diagonals}.0");
        let program = include_str!("../../glsl/bolz2003/sparse/spmv.frag");
        count(&assembled(&defines, program)).expect("a correct program")
    }

    #[test]
    fn the_product_with_seven_non_zeros_has_33_instructions_and_21_fetches() {
        let count = product(6); // and the diagonal
        assert_eq!((count.instructions, count.fetches), (33, 21));
        assert_eq!(count.dependent_levels, 2); // R, C, x
    }

    #[test]
    fn each_further_entry_of_a_row_costs_five_instructions_with_three_fetches() {
        for n in 1..12 {
            let (less, more) = (product(n), product(n + 1));
            assert_eq!(more.instructions - less.instructions, 5);
            assert_eq!(more.fetches - less.fetches, 3);
        }
    }

    #[test]
    fn a_row_of_200_entries_fits_one_program_of_the_nv30() {
        // NV_fragment_program.
        let limit = 1024;
        assert!(product(200).instructions <= limit);
        assert!(product(210).instructions > limit);
    }

    /// Four records, of which the first always lies within the data.
    fn reduction(sum: &str) -> Arc<Count> {
        let body = format!(
            "vec2 p = 2.0 * here - 0.5; vec2 q = p + 1.0; vec2 extent = c.xy;
             vec4 f = fetch(x, p); vec4 right = fetch(x, vec2(q.x, p.y));
             vec4 above = fetch(x, vec2(p.x, q.y)); vec4 across = fetch(x, q); {sum}"
        );
        let count = counted(&body);
        assert_eq!((count.fetches, count.dependent_levels), (4, 0));
        count
    }

    #[test]
    fn a_padded_reduction_has_four_fetches_three_additions_and_its_positions() {
        let count = reduction("result = f + right + above + across;");
        let kinds: Vec<_> = count.by_kind.clone().into_iter().collect();
        assert_eq!(kinds, [("ADD", 1 + 3), ("MAD", 1), ("TEX", 4)]);
    }

    #[test]
    fn a_bounded_reduction_adds_the_three_comparisons_of_the_paper() {
        let count = reduction(
            "vec4 none = vec4(0.0);
             f += q.x < extent.x ? right : none;
             f += q.y < extent.y ? above : none;
             f += q.x < extent.x && q.y < extent.y ? across : none; result = f;",
        );
        // The paper's 10, two for the positions, and a move into the result.
        assert_eq!(count.instructions, 13);
        let kinds: Vec<_> = count.by_kind.clone().into_iter().collect();
        let expected = [
            ("ADD", 1 + 3),
            ("MAD", 1),
            ("MOV", 1),
            ("MUL", 1),
            ("SLT", 2),
            ("TEX", 4),
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn a_bounded_reduction_that_compares_with_zero_has_12_instructions() {
        let count = reduction(
            "vec2 beyond = q - extent; vec4 none = vec4(0.0);
             f += beyond.x < 0.0 ? right : none;
             f += beyond.y < 0.0 ? above : none;
             f += max(beyond.x, beyond.y) < 0.0 ? across : none; result = f;",
        );
        let kinds: Vec<_> = count.by_kind.clone().into_iter().collect();
        let expected = [
            ("ADD", 2 + 3),
            ("MAD", 1),
            ("MAX", 1),
            ("MOV", 1),
            ("TEX", 4),
        ];
        assert_eq!(kinds, expected);
    }
}
