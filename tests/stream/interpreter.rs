//! The machine without a driver: registers and storage are rounded as formulas say, and whole runs are those of a
//! driver.

use std::rc::Rc;

use fragstream::card::dialect::user_source;
use fragstream::kruger2003::{Water, WaterSettings};
use fragstream::picture::Canvas;
use fragstream::program::formats::Registers;
use fragstream::scene::Drawn;
use fragstream::scenes::find;
use fragstream::stream::{Format, Kernel, Limits, Machine, Pass, Rect, Stream};

use crate::common::witness::Witness;
use crate::common::{machine, random};

const SIZE: (u32, u32) = (64, 3);

fn interpreter(registers: Registers) -> Machine {
    Machine::interpreted(registers).expect("no driver is needed")
}

fn kernel(machine: &Machine, body: &str) -> Rc<Kernel> {
    let text = format!("uniform stream x; uniform stream y;\nvoid main() {{ {body} }}");
    let source = user_source("body", text, Limits::NV30).expect("a program");
    machine.kernel(&source, &[]).expect("a kernel")
}

/// Numbers of many sizes.
fn numbers(seed: u64) -> Vec<f32> {
    let random = random((SIZE.0 * SIZE.1) as usize, seed);
    random.iter().enumerate().map(|(at, n)| n * ((at % 9) as f32 - 4.0).exp2()).collect()
}

/// Runs a body on two streams of [`numbers`].
fn drawn(registers: Registers, body: &str, format: Format) -> Vec<f64> {
    let machine = interpreter(registers);
    let stream = |name, seed| {
        Stream::from_data(&machine, name, SIZE, Format::R32F, &numbers(seed)).expect("memory")
    };
    let (x, y) = (stream("x", 1), stream("y", 2));
    // Storage has 32 bits, whatever registers have.
    assert_eq!(x.read().expect("numbers"), numbers(1));
    let target = Stream::zeros(&machine, "target", SIZE, format).expect("memory");
    let kernel = kernel(&machine, body);
    let pass = Pass::new(&kernel).read("x", &x).read("y", &y);
    pass.draw(&target, target.full()).expect("a pass");
    target.read().expect("numbers").into_iter().map(f64::from).collect()
}

/// A number with this many binary places after the leading one.
fn rounded(value: f64, places: i32, round: fn(f64) -> f64) -> f64 {
    let place = f64::from(value.abs().log2().floor() as i32 - places).exp2();
    if value == 0.0 { 0.0 } else { round(value / place) * place }
}

#[test]
fn each_operation_is_rounded_to_the_registers_of_its_card() {
    let body = "result = vec4(fetch(x, here).x * fetch(y, here).x + fetch(y, here).x);";
    for (registers, places, round) in [
        (Registers::Single, 23, f64::round_ties_even as fn(f64) -> f64),
        (Registers::R300, 16, f64::trunc),
        (Registers::R300Nearest, 16, f64::round_ties_even),
        (Registers::Nv30Half, 10, f64::round_ties_even),
    ] {
        let rounded = |value| rounded(value, places, round);
        let pairs = numbers(1).into_iter().zip(numbers(2));
        let expected: Vec<f64> = pairs
            .map(|(x, y)| {
                let (x, y) = (rounded(x.into()), rounded(y.into()));
                rounded(rounded(x * y) + y)
            })
            .collect();
        assert_eq!(drawn(registers, body, Format::R32F), expected, "{registers}");
    }
}

#[test]
fn half_storage_rounds_what_single_registers_compute() {
    let body = "result = vec4(fetch(x, here).x + fetch(y, here).x);";
    let sums = numbers(1).into_iter().zip(numbers(2)).map(|(x, y)| f64::from(x + y));
    let expected: Vec<f64> = sums.map(|sum| rounded(sum, 10, f64::round_ties_even)).collect();
    assert_eq!(drawn(Registers::Single, body, Format::R16F), expected);
}

#[test]
fn half_registers_leave_positions_alone() {
    let machine = interpreter(Registers::Nv30Half);
    let size = (3001, 1);
    let data: Vec<f32> = (0..3001).map(|at| (at % 101) as f32).collect();
    let x = Stream::from_data(&machine, "x", size, Format::R32F, &data).expect("memory");
    let target = Stream::zeros(&machine, "target", size, Format::R32F).expect("memory");
    let kernel = kernel(&machine, "result = fetch(x, here + vec2(1.0, 0.0)) + fetch(y, here);");
    let pass = Pass::new(&kernel).read("x", &x).read("y", &x);
    pass.draw(&target, Rect::of_size(3000, 1)).expect("a pass");
    let sums = data.windows(2).map(|pair| pair[0] + pair[1]).chain([0.0]);
    assert_eq!(target.read().expect("numbers"), sums.collect::<Vec<_>>());
}

#[test]
fn a_pass_with_feedback_reads_what_was_there_and_discarded_fragments_are_not_counted() {
    let machine = interpreter(Registers::Single);
    let data: Vec<f32> = (0..192).map(|at| at as f32).collect();
    let x = Stream::from_data(&machine, "x", SIZE, Format::R32F, &data).expect("memory");
    let body =
        "float n = fetch(x, here).x; if (fetch(y, here).x > 99.0) discard; result = vec4(n + n);";
    let kernel = kernel(&machine, body);
    let pass = Pass::new(&kernel).read("x", &x).read("y", &x).feedback();
    assert_eq!(pass.draw_counting(&x, x.full()).expect("a pass"), 100);
    let doubled = |at: usize| if at > 99 { data[at] } else { 2.0 * data[at] };
    assert_eq!(x.read().expect("numbers"), (0..192).map(doubled).collect::<Vec<_>>());
}

#[test]
fn whole_scenes_stay_within_the_bounds_of_their_programs() {
    for (name, side) in [("water", 17), ("dye", 17), ("cycle", 18)] {
        let machine = interpreter(Registers::Single);
        let witness = Rc::new(Witness::default());
        let _observation = machine.observe(Rc::clone(&witness) as _).expect("no streams");
        let mut ready = find(name).expect(name).ready("").expect("defaults");
        ready.settings.resize(side);
        let mut scene = ready.settings.start(&machine, Drawn::View(ready.view)).expect(name);
        let canvas = Canvas::with_samples(&machine, (24, 16), 1).expect("a canvas");
        for _ in 0..2 {
            scene.step(true).expect(name);
        }
        scene.draw(ready.view, &canvas).expect(name);
        let findings = witness.findings();
        assert!(findings.len() > 3, "{name}");
        for (program, finding) in findings {
            assert_eq!(finding.contradiction, None, "{name}: {program}");
        }
    }
}

#[test]
fn a_run_without_a_driver_ends_where_one_with_a_driver_does() {
    let heights = |machine: &Machine| {
        let mut water = Water::at_rest(machine, WaterSettings::new(24, 16)).expect("memory");
        let drop: Vec<f32> = (0..24 * 16).map(|at| if at == 150 { 1.0 } else { 0.0 }).collect();
        water.set(&drop, &drop).expect("heights");
        for _ in 0..10 {
            water.step().expect("a step");
        }
        water.height().read().expect("heights")
    };
    let found = heights(&interpreter(Registers::Single));
    let expected = heights(&machine());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    }
    let coarse = heights(&interpreter(Registers::Nv30Half));
    let off = coarse.iter().zip(&expected).map(|(coarse, fine)| (coarse - fine).abs());
    let off = off.fold(0.0, f32::max);
    assert!((1e-4..0.1).contains(&off), "half precision is off by {off}");
}

#[test]
fn what_needs_a_driver_is_refused_by_name() {
    let machine = interpreter(Registers::Single);
    let stream = Stream::zeros(&machine, "x", SIZE, Format::Rgba32F).expect("memory");
    for (refused, what) in [
        (stream.show().err(), "draw in a window"),
        (
            stream.draw_outside(|_, _| Ok(())).err(),
            "hide surfaces by their depth, or add fragments",
        ),
    ] {
        let refused = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.starts_with(&format!("the interpreter cannot {what}. ")), "{refused}");
    }
}
