//! The witness sees what a driver computes otherwise than the program says, and nothing else.

use std::collections::BTreeMap;
use std::rc::Rc;

use fragstream::card::dialect::user_source;
use fragstream::stream::{Drawing, Format, Kernel, Limits, Observer, Pass, Stream, Switches};

use crate::common::machine;
use crate::common::witness::{Finding, Witness};

/// Shows a witness the passes of a machine as if another kernel had drawn them.
struct Deceived {
    witness: Witness,
    claimed: Rc<Kernel>,
}

impl Observer for Deceived {
    fn before(&self, pass: Drawing<'_>) {
        self.witness.before(Drawing { kernel: &self.claimed, ..pass });
    }

    fn after(&self, pass: Drawing<'_>, switches: Switches) {
        self.witness.after(Drawing { kernel: &self.claimed, ..pass }, switches);
    }
}

/// Runs a body on random-looking streams x and y, and what the witness found.
fn found(body: &str, format: Format) -> Finding {
    found_instead(body, body, format)
}

/// The finding for a body that is computed, and one that the witness takes for it.
fn found_instead(computed: &str, claimed: &str, format: Format) -> Finding {
    let machine = machine();
    let [kernel, claimed] = [computed, claimed].map(|body| {
        let text = format!("uniform stream x; uniform stream y;\nvoid main() {{\n{body}\n}}");
        let source = user_source("body", text, Limits::NV30).expect("a program");
        machine.kernel(&source, &[]).expect("a kernel")
    });
    let observer = Rc::new(Deceived { witness: Witness::default(), claimed });
    let _observation = machine.observe(Rc::clone(&observer) as _).expect("no streams");
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
    let findings: BTreeMap<String, Finding> = observer.witness.findings();
    findings.into_values().next().expect("a pass was seen")
}

#[test]
fn bounds_hold_in_every_format_and_are_near_what_drivers_do() {
    let body = "result = fetch(x, here + vec2(1.0, -3.0)) * fetch(y, here) + 0.1;";
    for format in [Format::Rgba32F, Format::R32F, Format::Rgba16F] {
        let finding = found(body, format);
        assert_eq!(finding.contradiction, None, "{format}");
        assert_eq!((finding.passes, finding.undecided), (1, 0), "{finding:?}");
        assert_eq!(finding.numbers, 37 * 21 * format.channels() as u64);
        // A product, and a sum of it: not a hundred roundings.
        assert!(finding.worst > 0.1, "{finding:?}");
    }
}

#[test]
fn a_driver_that_computes_something_else_is_seen() {
    for (right, wrong) in [
        ("fetch(x, here)", "1.000001 * fetch(x, here)"),
        ("fetch(x, here) + fetch(y, here)", "fetch(x, here) - fetch(y, here)"),
        ("fetch(x, here + vec2(1.0, 0.0))", "fetch(x, here)"),
        ("floor(here.xyxy)", "ceil(here.xyxy)"),
        ("fetch(x, here)", "here.x > 36.0 && here.y < 1.0 ? vec4(0.0) : fetch(x, here)"),
    ] {
        let [right, wrong] = [right, wrong].map(|value| format!("result = {value};"));
        let finding = found_instead(&wrong, &right, Format::Rgba32F);
        assert!(finding.contradiction.is_some(), "{wrong}: {finding:?}");
    }
}

#[test]
fn a_comparison_that_rounding_decides_may_go_either_way() {
    let body = "vec4 a = fetch(x, here); vec4 b = fetch(y, here);
        result = ((a + b) - b).x < a.x ? vec4(1.0) : vec4(0.0);";
    let finding = found(body, Format::Rgba32F);
    assert_eq!(finding.contradiction, None);
    assert!(finding.undecided > 0);
}
