//! Special values: every operation on each of them, by the driver's GLSL, its assembly, the NV30 listing, and the
//! interpreter in five arithmetics. `FRAGSTREAM_SNAPSHOTS=write` writes the table of glsl/README.md again.

use fragstream::card::dialect::user_source;
use fragstream::gl::Backend;
use fragstream::program::Listing;
use fragstream::program::formats::{Chopped24, Half, Nearest24};
use fragstream::program::interpret::{Arithmetic, Program, Run, Texture};
use fragstream::stream::{Format, Limits, Machine, Pass, Rect, Stream};

/// Kinds of operands: the columns of the table.
const KINDS: [&str; 6] = ["NaN", "±∞", "±0", "subnormal", "largest", "negative"];

/// Two of each kind, and three plain numbers.
const VALUES: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    0.0,
    -0.0,
    1e-40,
    f32::MAX,
    -f32::MAX,
    -1.7,
    -3.0,
    2.5,
    0.6,
];

/// An operation of a and b: its text, its value, and for each of [`KINDS`] whether its value is promised (`y`) or
/// not (`-`). The interval is a number of last places of the result, or of 1 for smaller ones.
struct Row(&'static str, fn(f64, f64) -> f64, &'static str, u32);

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

const ROWS: &[Row] = &[
    Row("a + b", |a, b| a + b, "yyy-yy", 1),
    Row("a - b", |a, b| a - b, "yyy-yy", 1),
    Row("a * b", |a, b| a * b, "yyy-yy", 1),
    Row("a * b + 1.0", |a, b| a * b + 1.0, "yyy-yy", 2),
    Row("a / b", |a, b| a / b, "yyy--y", 4),
    Row("-a", |a, _| -a, "yyy-yy", 0),
    Row("abs(a)", |a, _| a.abs(), "yyy-yy", 0),
    Row("a < b ? 1.0 : 0.0", |a, b| truth(a < b), "yyy-yy", 0),
    Row("a >= b ? 1.0 : 0.0", |a, b| truth(a >= b), "yyy-yy", 0),
    Row("a == b ? 1.0 : 0.0", |a, b| truth(a == b), "yyy-yy", 0),
    Row("a != b ? 1.0 : 0.0", |a, b| truth(a != b), "yyy-yy", 0),
    Row("float(a != a)", |a, _| truth(a.is_nan()), "yyy-yy", 0),
    Row("float(!(a < b))", |a, b| truth(!lower(a, b)), "yyy-yy", 0),
    Row(
        "float(!(a >= 0.0) && !(b > 0.0))",
        |a, b| truth(!(at_least(a, 0.0) || lower(0.0, b))),
        "yyy-yy",
        0,
    ),
    Row("float(a < b ^^ !(b <= a))", |a, b| truth(lower(a, b) == at_least(a, b)), "yyy-yy", 0),
    Row("float(bool(a))", |a, _| truth(a != 0.0), "yyy-yy", 0),
    Row("a < b ? a : b", |a, b| if a < b { a } else { b }, "-yy-yy", 0),
    Row("a >= 0.0 ? a : b + b", |a, b| if a >= 0.0 { a } else { b + b }, "-yy-yy", 1),
    Row("a >= 0.0 ? a + a : b", |a, b| if a >= 0.0 { a + a } else { b }, "-yy-yy", 1),
    Row("!(a < 0.0) ? a : b + b", |a, b| if lower(a, 0.0) { b + b } else { a }, "yyy-yy", 1),
    Row("a != 0.0 ? a + b : b", |a, b| if a != 0.0 { a + b } else { b }, "yyy-yy", 1),
    Row("a + (a <= 0.0 ? b : 0.0)", |a, b| if a <= 0.0 { a + b } else { a }, "-yy-yy", 1),
    Row("a + (b > 0.0 ? 0.0 : b)", |a, b| if b > 0.0 { a } else { a + b }, "-yy-yy", 1),
    Row("min(a, b)", f64::min, "-yy-yy", 0),
    Row("max(a, b)", f64::max, "-yy-yy", 0),
    Row("clamp(a, 0.0, 1.0)", |a, _| a.clamp(0.0, 1.0), "-yy-yy", 0),
    Row("clamp(a, -1.0, 2.0)", |a, _| a.clamp(-1.0, 2.0), "-yy-yy", 0),
    Row("sign(a)", |a, _| truth(a > 0.0) - truth(a < 0.0), "-yy-yy", 0),
    Row("step(a, b)", |a, b| truth(b >= a), "-yy-yy", 0),
    Row("floor(a)", |a, _| a.floor(), "y-y--y", 0),
    Row("ceil(a)", |a, _| a.ceil(), "y-y--y", 0),
    Row("fract(a)", |a, _| a - a.floor(), "y-y--y", 1),
    Row(
        "mod(a, 0.7)",
        |a, _| a - f64::from(0.7f32) * (a / f64::from(0.7f32)).floor(),
        "y-y--y",
        16,
    ),
    Row("mix(a, b, 0.25)", |a, b| 0.75 * a + 0.25 * b, "y-y--y", 4),
    Row("dot(vec3(a), vec3(b))", |a, b| 3.0 * a * b, "y-y--y", 6),
    Row("length(vec3(a))", |a, _| 3f64.sqrt() * a.abs(), "y-y--y", 8),
    Row("sqrt(a)", |a, _| a.sqrt(), "yyy---", 8),
    Row("inversesqrt(a)", |a, _| 1.0 / a.sqrt(), "yyy---", 8),
    Row("exp2(a)", |a, _| a.exp2(), "y-y--y", 64),
    Row("log2(a)", |a, _| a.log2(), "y-----", 64),
    Row("pow(a, 1.5)", |a, _| a.powf(1.5), "------", 64),
    Row("sin(a)", |a, _| a.sin(), "--y--y", 64),
    Row("cos(a)", |a, _| a.cos(), "--y--y", 64),
];

fn lower(a: f64, b: f64) -> bool {
    a < b
}

fn at_least(a: f64, b: f64) -> bool {
    a >= b
}

/// Columns and rows: a changes along the rows, b from row to row.
const SIDE: u32 = VALUES.len() as u32;

/// The first channels of x and of y at each fragment.
fn contents() -> [Vec<f32>; 2] {
    let pairs = || VALUES.iter().flat_map(|b| VALUES.iter().map(move |a| (*a, *b)));
    let record = |value: f32| [value, 0.0, 0.0, 0.0];
    [pairs().flat_map(|(a, _)| record(a)).collect(), pairs().flat_map(|(_, b)| record(b)).collect()]
}

fn text(expression: &str) -> String {
    format!(
        "uniform stream x;\nuniform stream y;\nvoid main() {{\n    float a = fetch(x, here).x;\n    \
         float b = fetch(y, here).x;\n    result = vec4({expression}, b, a, 1.0);\n}}\n"
    )
}

/// Result of a text in an arithmetic, per fragment.
fn interpreted<T: Arithmetic>(program: &Program) -> Vec<f64> {
    let [x, y] = contents().map(|data| Texture::<T::Stored>::of_singles((SIDE, SIDE), 4, &data));
    let mut target = Texture::zeros((SIDE as usize, SIDE as usize), 4);
    let mut run = Run::<T>::new(program);
    for (name, texture) in [("x", &x), ("y", &y)] {
        if program.declares(name) {
            run = run.read(name, texture);
        }
    }
    run.draw(&mut target, &[Rect::of_size(SIDE, SIDE)]).expect("all is bound");
    target.data().iter().step_by(4).map(|number| number.to_f64()).collect()
}

fn drawn(machine: &Machine, text: &str) -> Vec<f64> {
    let source = user_source("special", text, Limits::NV30).expect("a correct program");
    let kernel = machine.kernel(&source, &[]).expect("a kernel");
    let size = (SIDE, SIDE);
    let [x, y] = contents().map(|data| {
        Stream::from_data(machine, "values", size, Format::Rgba32F, &data).expect("memory")
    });
    let target = Stream::zeros(machine, "target", size, Format::Rgba32F).expect("memory");
    let pass = Pass::new(&kernel).read("x", &x).read("y", &y);
    pass.draw(&target, target.full()).expect("a pass");
    let records = target.read().expect("records");
    records.into_iter().step_by(4).map(f64::from).collect()
}

/// The kind of an operand; none for a plain number.
fn kind(value: f64, most: f64, least: f64) -> Option<usize> {
    match value {
        _ if value.is_nan() => Some(0),
        _ if value.is_infinite() => Some(1),
        0.0 => Some(2),
        _ if value.abs() < least => Some(3),
        _ if value.abs() >= most => Some(4),
        _ if value < 0.0 => Some(5),
        _ => None,
    }
}

/// Contradictions of promised values, computed in an arithmetic whose last place of 1 is `place`.
fn contradictions<T: Arithmetic>(way: &str, row: &Row, place: f64, found: &[f64]) -> String {
    let &Row(expression, value, promises, places) = row;
    let most = T::from_f64(f64::from(f32::MAX)).to_f64().min(f64::from(f32::MAX));
    let least = f64::from(f32::MIN_POSITIVE);
    let has_infinity = T::from_f64(f64::INFINITY).to_f64().is_infinite();
    let pairs = VALUES.iter().flat_map(|b| VALUES.iter().map(move |a| [*a, *b]));
    let mut wrong = String::new();
    for (given, &found) in pairs.zip(found) {
        let operands = given.map(|value| T::from_f64(f64::from(value)).to_f64());
        let used = if expression.contains('b') { &operands[..] } else { &operands[..1] };
        let kinds = used.iter().filter_map(|value| kind(*value, most, least));
        let is_negative = used.iter().any(|value| *value < 0.0).then_some(5);
        let mut all = kinds.clone().chain(is_negative);
        let is_promised = all.all(|kind| promises.as_bytes()[kind] == b'y');
        let meant = value(operands[0], operands[1]);
        if !is_promised
            || !has_infinity && !meant.is_finite() && !kinds.clone().any(|kind| kind == 0)
        {
            continue;
        }
        let rounded = T::from_f64(meant).to_f64();
        let size = if rounded.abs() < 1.0 { 1.0 } else { rounded.abs() };
        // The sign of a zero is not promised, and so not that of its reciprocal.
        let is_reciprocal = kinds.clone().any(|kind| kind == 2) && rounded.is_infinite();
        let is_right = found == rounded
            || rounded.is_nan() && found.is_nan()
            || is_reciprocal && found.abs() == rounded.abs()
            || (found - rounded).abs() <= f64::from(places) * place * size;
        if !is_right {
            wrong += &format!("{way}: {expression} of {given:?} is {found}, not {rounded}\n");
        }
    }
    wrong
}

const SINGLE: f64 = f32::EPSILON as f64;

#[test]
fn no_back_end_contradicts_the_table_of_special_values() {
    let machine = |backend| Machine::headless_in(backend).expect("this machine has OpenGL");
    let drivers = [("driver", machine(Backend::Glsl)), ("assembly", machine(Backend::Arb))];
    let mut wrong = String::new();
    for row in ROWS {
        let text = text(row.0);
        for (name, machine) in &drivers {
            wrong += &contradictions::<f32>(name, row, SINGLE, &drawn(machine, &text));
        }
        let source = user_source("special", &*text, Limits::NV30).expect("a correct program");
        let assembled = source.assemble(&[]);
        let listing = Program::of_listing(&Listing::of(&assembled).expect("a listing"));
        wrong += &contradictions::<f32>("listing", row, SINGLE, &interpreted::<f32>(&listing));
        let program = Program::new(&assembled).expect("a program");
        wrong += &contradictions::<f32>("single", row, SINGLE, &interpreted::<f32>(&program));
        wrong += &contradictions::<f64>("double", row, f64::EPSILON, &interpreted::<f64>(&program));
        let places = [1.0 / 65_536.0, 1.0 / 1024.0];
        wrong +=
            &contradictions::<Chopped24>("24", row, places[0], &interpreted::<Chopped24>(&program));
        wrong += &contradictions::<Nearest24>(
            "24, nearest",
            row,
            places[0],
            &interpreted::<Nearest24>(&program),
        );
        wrong += &contradictions::<Half>("half", row, places[1], &interpreted::<Half>(&program));
    }
    assert_eq!(wrong, "");
}

/// A condition, and the function that decides it.
type Condition = (&'static str, fn(f64, f64) -> bool);

#[test]
fn a_condition_that_is_negated_discards_what_glsl_discards() {
    let machine = |backend| Machine::headless_in(backend).expect("this machine has OpenGL");
    let [glsl, arb] = [Backend::Glsl, Backend::Arb].map(machine);
    let conditions: [Condition; 5] = [
        ("!(a < b)", |a, b| !lower(a, b)),
        ("!(a >= 0.0)", |a, _| !at_least(a, 0.0)),
        ("a >= 0.0", |a, _| at_least(a, 0.0)),
        ("a != 0.0", |a, _| a != 0.0),
        ("a == 0.0", |a, _| a == 0.0),
    ];
    for (condition, holds) in conditions {
        let text = text("7.0").replace("result", &format!("if ({condition}) discard;\n    result"));
        let listing =
            Listing::of(&user_source("a", &*text, Limits::NV30).expect("correct").assemble(&[]));
        let listing = Program::of_listing(&listing.expect("a listing"));
        for found in [drawn(&glsl, &text), drawn(&arb, &text), interpreted::<f32>(&listing)] {
            let pairs = VALUES.iter().flat_map(|b| VALUES.iter().map(move |a| (*a, *b)));
            for ((a, b), found) in pairs.zip(found).filter(|((a, b), _)| *a != 1e-40 && *b != 1e-40)
            {
                let meant = if holds(f64::from(a), f64::from(b)) { 0.0 } else { 7.0 };
                assert_eq!(found, meant, "{condition} of {a}, {b}");
            }
        }
    }
}

/// The table of glsl/README.md.
fn table() -> String {
    let mut table = format!("| operation | {} | interval |\n", KINDS.join(" | "));
    table += &format!("|---{}|--:|\n", "|:-:".repeat(KINDS.len()));
    for Row(expression, _, promises, places) in ROWS {
        let cells = promises.chars().map(|one| if one == 'y' { "yes" } else { "–" });
        let interval = if *places == 0 { "exact".to_owned() } else { format!("{places} ulp") };
        let cells = cells.collect::<Vec<_>>().join(" | ");
        table += &format!("| `{}` | {cells} | {interval} |\n", expression.replace('|', "\\|"));
    }
    table
}

#[test]
fn the_table_of_special_values_is_in_the_readme() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/glsl/README.md");
    let readme = std::fs::read_to_string(path).expect("a page");
    let start = readme.find("| operation | NaN").expect("the table");
    let end = start + readme[start..].find("\n\n").expect("its end") + 1;
    if std::env::var_os("FRAGSTREAM_SNAPSHOTS").is_some_and(|value| value == "write") {
        let new = readme[..start].to_owned() + &table() + &readme[end..];
        std::fs::write(path, new).expect("a file that can be written");
    } else {
        assert!(readme[start..end] == table(), "{path}: FRAGSTREAM_SNAPSHOTS=write updates it");
    }
}
