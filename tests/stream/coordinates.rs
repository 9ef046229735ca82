//! Vertex programs of their own: coordinates that reach the fragments interpolated (Goodnight et
//! al. 2003, section 6), and programs that a user brings.

use crate::common::machine;
use fragstream::card::count::{Count, count, count_vertex};
use fragstream::card::dialect::user_source;
use fragstream::stream::{Format, Limits, Part, Pass, Source, Stream, StreamError};

const NEIGHBOURS: Part = Part {
    name: "test/neighbours",
    text: "uniform vec2 offset;
out vec2 centre;
out vec4 beside;
void main() {
    gl_Position = placed;
    centre = corner;
    beside = vec4(corner - offset, corner + offset);
}
",
};

/// How far the coordinates are from where they should be.
const DEVIATION: Source = Source::new(
    "test/deviation",
    "uniform vec2 offset;
in vec2 centre;
in vec4 beside;
void main() {
    vec2 before = abs(beside.xy - here + offset);
    vec2 behind = abs(beside.zw - here - offset);
    vec2 deviation = max(abs(centre - here), max(before, behind));
    result = vec4(max(deviation.x, deviation.y));
}
",
    &[],
    Limits::R300,
);

#[test]
fn coordinates_are_exact_enough_for_a_fetch_at_every_texel() {
    let machine = machine();
    let kernel = machine.kernel(&DEVIATION.with_vertices(NEIGHBOURS), &[]).unwrap();
    for size in [(1, 1), (2, 3), (33, 1), (2049, 1), (1, 2049), (2049, 2049)] {
        let target = Stream::zeros(&machine, "deviation", size, Format::R32F).unwrap();
        target.fill([1.0; 4]);
        Pass::new(&kernel).set("offset", [1.0, 2.0]).draw(&target, target.full()).unwrap();
        let worst = target.read().unwrap().into_iter().fold(0.0, f32::max);
        assert!(worst < 1.0 / 64.0, "{size:?}: {worst} texels off");
    }
}

/// The differences to both neighbours along a line.
const DIFFERENCES: Source = Source::new(
    "test/differences",
    "uniform stream x;
in vec2 centre;
in vec4 beside;
void main() {
    result = fetch(x, beside.zw) - 2.0 * fetch(x, centre) + fetch(x, beside.xy);
}
",
    &[],
    Limits::R300,
);

#[test]
fn both_programs_are_counted() {
    let machine = machine();
    let kernel = machine.kernel(&DIFFERENCES.with_vertices(NEIGHBOURS), &[]).unwrap();
    let kinds = |count: &Count| {
        let kinds = count.by_kind.iter().map(|(kind, n)| format!("{n} {kind}"));
        kinds.collect::<Vec<_>>().join(" ")
    };
    // Sums of three fetches: a - 2 b is one MAD. No position is computed in the fragment.
    assert_eq!(kinds(&count(&kernel.text().fragment).unwrap()), "1 ADD 1 MAD 3 TEX");
    // 2 corner / size - 1: two reciprocals, a product, a multiply-add, a move for depth and w.
    // A move for centre, two sums for beside.
    let expected = "2 ADD 1 MAD 2 MOV 1 MUL 2 RCP";
    assert_eq!(kinds(&count_vertex(&kernel.text().vertex).unwrap()), expected);
    let copy = "uniform stream x;\nvoid main() { result = fetch(x, here); }\n";
    let copy = user_source("copy", copy, Limits::R300).unwrap();
    let copy = machine.kernel(&copy, &[]).unwrap();
    assert_eq!(kinds(&count_vertex(&copy.text().vertex).unwrap()), "1 MAD 1 MOV 1 MUL 2 RCP");
}

#[test]
fn constants_of_the_vertex_program_and_those_declared_in_vain_are_asked_for() {
    let machine = machine();
    let x = Stream::zeros(&machine, "x", (3, 3), Format::R32F).unwrap();
    let vain = "uniform float a;\n#ifdef ELSEWHERE\nuniform float b;\n#endif\n\
                void main() { result = vec4(2.0); }\n";
    for (source, constant) in [
        (DEVIATION.with_vertices(NEIGHBOURS), "offset"),
        (Source::new("test/vain", vain, &[], Limits::R300), "a"),
    ] {
        let kernel = machine.kernel(&source, &[]).unwrap();
        let error = Pass::new(&kernel).draw(&x, x.full()).unwrap_err();
        let is_missing = matches!(&error, StreamError::Missing { name, .. } if name == constant);
        assert!(is_missing, "{error}");
        let pass = Pass::new(&kernel);
        let pass = match constant {
            "a" => pass.set("a", 1.0),
            _ => pass.set("offset", [1.0, 2.0]),
        };
        pass.draw(&x, x.full()).unwrap();
    }
}

#[test]
fn a_coordinate_that_the_vertex_program_does_not_hand_over_is_an_error() {
    let machine = machine();
    let with = |text| {
        let vertex = Part { name: "test/other", text };
        machine.kernel(&DEVIATION.with_vertices(vertex), &[]).err()
    };
    let error = with("void main() { gl_Position = placed; }\n");
    assert!(
        matches!(&error, Some(StreamError::Coordinate { name, .. }) if name == "centre"),
        "{error:?}"
    );
    // Another type is found by the driver already.
    let error = with(
        "uniform vec2 offset; out vec3 centre; out vec4 beside;
         void main() { gl_Position = placed; centre = vec3(0.0); beside = vec4(0.0); }\n",
    );
    assert!(error.is_some());
    let error = machine.kernel(&DEVIATION, &[]).err();
    assert!(matches!(error, Some(StreamError::Coordinate { .. })), "{error:?}");
}

#[test]
fn a_user_s_program_runs_and_another_of_the_same_name_is_not_mistaken_for_it() {
    let machine = machine();
    let size = (3, 1);
    let x = Stream::from_data(&machine, "x", size, Format::R32F, &[1.0, 2.0, 3.0]).unwrap();
    let y = Stream::zeros(&machine, "y", size, Format::R32F).unwrap();
    for factor in ["2.0", "3.0"] {
        let text = format!(
            "uniform stream x; uniform float a, b;\nvoid main() {{\n    \
             result = {factor} * (a + b) * fetch(x, here);\n}}\n"
        );
        let source = user_source("operator.frag", text, Limits::R300).unwrap();
        let kernel = machine.kernel(&source, &[]).unwrap();
        Pass::new(&kernel).read("x", &x).set("a", 1.0).set("b", 2.0).draw(&y, y.full()).unwrap();
        let factor: f32 = 3.0 * factor.parse::<f32>().unwrap();
        let expected = [1.0, 2.0, 3.0].map(|v| factor * v);
        assert_eq!(y.read().unwrap(), expected);
    }
}

#[test]
fn a_user_s_program_that_breaks_a_rule_is_refused_with_file_line_and_column() {
    let text =
        "uniform stream x;\nvoid main() {\n    int i = 1;\n    result = fetch(x, here);\n}\n";
    let error = user_source("my/operator.txt", text, Limits::R300).unwrap_err();
    assert_eq!(
        error.to_string(),
        "my/operator.txt:3:5: type int (types). Use float, vec2, vec3, vec4 or a single bool.\n \
         3 |     int i = 1;\n   |     ^"
    );
    let error = user_source("a", "void main( {\n", Limits::R300).unwrap_err();
    assert!(matches!(error, StreamError::Rules(_)), "{error}");
    let error = user_source("a", "uniform mat4 m;\nvoid main() { result = m[0]; }\n", Limits::R300)
        .unwrap_err();
    assert!(error.to_string().contains("a:1:9: type mat4"), "{error}");
    // Names are known when the program is assembled.
    let machine = machine();
    let text = "// a comment\nuniform stream x;\nvoid main() {\n    result = missing;\n}\n";
    let source = user_source("operator", text, Limits::R300).unwrap();
    let error = machine.kernel(&source, &[("N", "2.0")]).err().unwrap();
    assert!(error.to_string().contains(":4:14: unknown name `missing` (syntax)"), "{error}");
    let text = "uniform vec4 w[2];\nvoid main() { result = w[0] + w[1]; }\n";
    let source = user_source("operator", text, Limits::R300).unwrap();
    let error = machine.kernel(&source, &[]).err().unwrap().to_string();
    assert!(error.contains("w is an array"), "{error}");
}
