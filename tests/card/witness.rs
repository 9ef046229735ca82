//! The witness sees what a driver computes otherwise than the program says, and nothing else.

use std::collections::BTreeMap;
use std::rc::Rc;

use fragstream::card::dialect::user_source;
use fragstream::card::interpret::{Finding, Witness};
use fragstream::stream::{Format, Machine, Pass, Stream};

/// Runs a body on random-looking streams x and y, and what the witness found.
fn found(declared: &str, body: &str, format: Format) -> Finding {
    let machine = Machine::headless().expect("this machine has OpenGL");
    let witness = Rc::new(Witness::default());
    let _observation = machine
        .observe(Rc::clone(&witness) as _)
        .expect("no streams");
    let text =
        format!("uniform stream x; uniform stream y; {declared}\nvoid main() {{\n{body}\n}}");
    let source = user_source("body", text).expect("a program");
    let kernel = machine.kernel(&source, &[]).expect("a kernel");
    let size = (37, 21);
    let numbers = |seed: f32| -> Vec<f32> {
        let n = 4 * size.0 * size.1;
        (0..n).map(|k| (seed * k as f32 * k as f32).sin()).collect()
    };
    let stream = |label, seed| {
        Stream::from_data(&machine, label, size, Format::Rgba32F, &numbers(seed)).expect("memory")
    };
    let (x, y) = (stream("x", 1.37), stream("y", 0.73));
    let target = Stream::zeros(&machine, "target", size, format).expect("memory");
    let pass = Pass::new(&kernel).read("x", &x).read("y", &y);
    pass.draw(&target, target.full()).expect("a pass");
    let findings: BTreeMap<String, Finding> = witness.findings();
    findings.into_values().next().expect("a pass was seen")
}

/// One number is computed otherwise by the driver, which alone has such a profile.
fn broken(right: &str, wrong: &str) -> String {
    format!("#ifdef GL_core_profile\nresult = {wrong};\n#else\nresult = {right};\n#endif")
}

const BODIES: [&str; 8] = [
    "result = fetch(x, here + vec2(1.0, -3.0)) * fetch(y, here) + 0.1;",
    "result = (fetch(x, here) - fetch(y, here)) / (0.01 + abs(fetch(y, here.yx)));",
    "result = sqrt(abs(fetch(x, here))) + inversesqrt(1.0 + fetch(x, here) * fetch(x, here));",
    "result = exp(fetch(x, here)) * pow(abs(fetch(y, here)), vec4(3.0));",
    "result = sin(fetch(x, here)) + cos(3.0 * fetch(y, here)) + log2(2.0 + fetch(x, here));",
    "result = mix(fetch(x, here), fetch(y, here), fract(0.37 * here.x));",
    "vec4 a = fetch(x, here); vec4 b = fetch(y, here); result = a.x < b.x ? a * b : max(a, b.yxwz);",
    "vec4 sum = vec4(0.0); for (float n = 0.0; n < 30.0; n += 1.0) sum += fetch(x, here + vec2(n, 0.0));
     result = sum + dot(sum, fetch(y, here)) + length(sum.xyz);",
];

#[test]
fn what_the_driver_computes_lies_within_the_bounds() {
    for format in [Format::Rgba32F, Format::R32F, Format::Rgba16F] {
        for body in BODIES {
            let finding = found("", body, format);
            assert_eq!(finding.contradiction, None, "{body}");
            assert_eq!(
                (finding.passes, finding.undecided),
                (1, 0),
                "{body}: {finding:?}"
            );
            assert_eq!(finding.numbers, 37 * 21 * format.channels() as u64);
        }
    }
}

#[test]
fn bounds_are_near_what_drivers_do() {
    // A product, and a sum of it: not a hundred roundings.
    let finding = found("", BODIES[0], Format::Rgba32F);
    assert!(finding.worst > 0.1, "{finding:?}");
}

#[test]
fn a_driver_that_computes_something_else_is_seen() {
    for (right, wrong) in [
        ("fetch(x, here)", "1.000001 * fetch(x, here)"),
        (
            "fetch(x, here) + fetch(y, here)",
            "fetch(x, here) - fetch(y, here)",
        ),
        ("fetch(x, here + vec2(1.0, 0.0))", "fetch(x, here)"),
        ("floor(here.xyxy)", "ceil(here.xyxy)"),
        (
            "fetch(x, here)",
            "here.x > 36.0 && here.y < 1.0 ? vec4(0.0) : fetch(x, here)",
        ),
    ] {
        let finding = found("", &broken(right, wrong), Format::Rgba32F);
        assert!(finding.contradiction.is_some(), "{wrong}: {finding:?}");
    }
}

#[test]
fn a_comparison_that_rounding_decides_may_go_either_way() {
    let body = "vec4 a = fetch(x, here); vec4 b = fetch(y, here);
        result = ((a + b) - b).x < a.x ? vec4(1.0) : vec4(0.0);";
    let finding = found("", body, Format::Rgba32F);
    assert_eq!(finding.contradiction, None);
    assert!(finding.undecided > 0);
}
