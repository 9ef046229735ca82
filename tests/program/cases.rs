//! Small texts that a reader of GLSL gets wrong: each has one meaning, or is refused.

use std::process::Command;

use super::agree::{Outcome, Ways};

/// What a text draws where x and y are read; the rule is one that refuses it.
enum Meaning {
    Is(fn([f32; 4], [f32; 4]) -> [f32; 4]),
    Breaks(&'static str),
}

use Meaning::{Breaks, Is};

macro_rules! case {
    ($name:literal) => {
        ($name, include_str!(concat!("cases/", $name, ".frag")))
    };
}

fn truth(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The scale factors of coordinates around a cylinder.
fn metric(h: f32) -> [f32; 4] {
    [h, h, 1.0, 0.0]
}

fn half_exp(x: f32) -> f32 {
    0.5 * x.exp()
}

const PLAIN: Meaning = Is(|a, _| metric(half_exp(a[0])));
const FIRST: Meaning = Is(|a, b| [1.0, a[0], b[0], 0.0]);

const CASES: [((&str, &str), Meaning); 45] = [
    (
        case!("and_side_effect"),
        Is(|a, b| {
            let c = a[0] > 0.0;
            [truth(c), if c { 5.0 } else { a[1] }, b[0], 0.0]
        }),
    ),
    (case!("or_side_effect"), Is(|a, b| [1.0, if a[0] > 0.0 { a[1] } else { 5.0 }, b[0], 0.0])),
    (
        case!("ternary_side_effects"),
        Is(|a, b| {
            let t = if a[0] > 0.0 { 1.0 } else { 2.0 };
            [t, t, b[0], 0.0]
        }),
    ),
    (case!("ternary"), Is(|a, b| [a[1], a[1] + if a[0] > 0.0 { 1.0 } else { -1.0 }, b[0], 0.0])),
    (case!("bool_and"), Is(|a, b| [truth(b[0] != 0.0 && b[1] != 0.0), a[0], b[0], 0.0])),
    (case!("bool_eq_true"), Is(|a, b| [truth(b[0] != 0.0), a[0], b[0], 0.0])),
    (case!("bool_float"), Is(|a, b| [truth(b[0] != 0.0), a[0], b[0], 0.0])),
    (case!("const_in_function_leaks"), Is(|a, b| [4.0 * a[0] + 2.0 * a[1], b[0], 0.0, 0.0])),
    (case!("shadowed_const_as_bound"), Is(|a, b| [5.0 + 2.0 * a[0], b[0], 0.0, 0.0])),
    (case!("counter_by_inout"), Is(|a, b| [2.0 * a[0] + 4.0, b[0], 0.0, 0.0])),
    (case!("data_loop"), Is(|a, b| [a[0] * b[0].abs().min(4.0), b[0], 0.0, 0.0])),
    (case!("if_int_division"), FIRST),
    (case!("if_true_literal"), Is(|a, b| [2.0, a[0], b[0], 0.0])),
    (case!("ifdef_GL_core"), FIRST),
    (case!("ifdef_fetch"), FIRST),
    (case!("ifdef_prelude_here"), FIRST),
    (case!("ifdef_version"), FIRST),
    (case!("index_of_swizzle"), Is(|a, b| [a[2], a[2], b[0], 0.0])),
    (case!("macro_minus"), Is(|a, b| [b[0], b[0], a[0], 0.0])),
    (case!("slash_star_slash"), Is(|a, b| [a[0], b[0], 0.0, 0.0])),
    (case!("listing_loops"), Breaks("syntax")),
    (case!("panic_bigarray"), Breaks("dialect")),
    (case!("panic_fetchscalar"), Breaks("syntax")),
    (case!("panic_minmix"), Breaks("syntax")),
    (case!("panic_nest"), Breaks("syntax")),
    (case!("panic_terndiff"), Breaks("syntax")),
    (case!("panic_voiddiscard"), Breaks("syntax")),
    (case!("op_and_side"), Is(|a, _| metric(if a[0] < -1.0 { 1.0 } else { half_exp(a[0]) }))),
    (case!("op_ternary_side"), PLAIN),
    (
        case!("op_side"),
        Is(|a, _| {
            let h = half_exp(a[0]);
            [h, h, if a[0] > 1.0 { 1.2 } else { 1.0 }, 0.0]
        }),
    ),
    (case!("op_bool_of_float"), Is(|a, _| metric(if a[0] == -2.0 { 0.0 } else { half_exp(a[0]) }))),
    (case!("op_comment_continued"), PLAIN),
    (case!("op_cond"), PLAIN),
    (case!("op_const_shadow"), PLAIN),
    (case!("op_counter_inout"), PLAIN),
    (case!("op_if_division"), PLAIN),
    (case!("op_macro_legal_refused"), PLAIN),
    (case!("op_macro_minus"), PLAIN),
    (case!("op_overload"), PLAIN),
    (case!("op_slash_star_slash"), PLAIN),
    (case!("op_swizzle_index"), PLAIN),
    (case!("op_version"), PLAIN),
    (case!("op_array"), Breaks("dialect")),
    (case!("op_loop"), Breaks("constant-loops")),
    (case!("op_loops"), Breaks("syntax")),
];

/// Legal texts that the dialect does not compute, with the rule that says so.
const REFUSED: [(&str, &str); 10] = [
    ("and_side_effect", "side-effects"),
    ("or_side_effect", "side-effects"),
    ("ternary_side_effects", "side-effects"),
    ("ternary", "side-effects"),
    ("op_and_side", "side-effects"),
    ("op_ternary_side", "side-effects"),
    ("op_side", "side-effects"),
    ("counter_by_inout", "constant-loops"),
    ("op_counter_inout", "constant-loops"),
    ("data_loop", "constant-loops"),
];

#[test]
fn each_text_has_one_meaning_or_is_refused() {
    let ways = Ways::new(3, true);
    let mut wrong = Vec::new();
    for ((name, text), meaning) in CASES {
        let outcome = ways.outcome(text);
        let rule = match meaning {
            Is(_) => REFUSED.iter().find(|(refused, _)| *refused == name).map(|(_, rule)| *rule),
            Breaks(rule) => Some(rule),
        };
        let is_right = match (&outcome, rule, meaning) {
            (Ok(Outcome::Refused(message)), Some(rule), _) => {
                message.contains(&format!(" ({rule}). "))
            }
            (Ok(Outcome::Drawn { records, .. }), None, Is(meaning)) => {
                records.iter().all(|records| {
                    let mut found = records.as_chunks::<4>().0.iter().zip(ways.read());
                    found.all(|(found, [a, b])| {
                        let mut both = found.iter().zip(meaning(a, b));
                        both.all(|(found, meant)| (found - meant).abs() <= 1e-5 * meant.abs())
                    })
                })
            }
            _ => false,
        };
        if !is_right {
            wrong.push(format!("{name}: {outcome:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_operator_with_a_uniform_of_its_own_is_bad_input() {
    let glsl = include_str!("../../glsl/goodnight2003/problem/metric_log_polar.glsl");
    let (_, others) = glsl.split_once("vec2 place(").expect("a function");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("own.glsl");
    let text = include_str!("cases/op_uniform.glsl").to_owned() + "vec2 place(" + others;
    std::fs::write(&file, text).expect("a file");
    for backend in ["glsl", "arb"] {
        let mut wing = Command::new(env!("CARGO_BIN_EXE_fragstream"));
        let arguments = "wing --body cylinder --size 17x17 --radius 5 --steps 1 --operator";
        wing.args(arguments.split(' ')).arg(&file).args(["--backend", backend]);
        let output = wing.output().expect("the command");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("no value for its uniform q"), "{message}");
    }
}
