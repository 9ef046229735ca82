//! Every program compiles in a browser, and every pass of the films comes out there as it was
//! recorded: bit by bit, or within what another order of rounding explains.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use fragstream::film::scenes::all;
use fragstream::film::{Film, PAGE_BYTES, Recorder};
use fragstream::goodnight2003::{Boundaries, Condition, Grid, Metric, Problem, Settings, Solver};
use fragstream::stream::{Drawing, Format, Machine, Observer, Switches};
use serde_json::{Value, json};

use crate::card::programs::assembled;
use crate::common::machine;
use crate::common::nightly::all_pages;
use crate::film::browser::{answers, bytes, element, film_elements, instead_of_start, text};
use crate::film::support::about;

/// Programs that no browser can compile: WebGL has no double precision.
const DOUBLE: &str = "GL_ARB_gpu_shader_fp64";

/// Films in which faults are planted, these in so many events: one that reduces, with identities; one with
/// feedback; one whose coordinates are computed from sines, first of all.
const FAULTY: [(&str, &[&str], usize); 3] = [
    ("reduction", &[SHIFTED, "a wrong identity", "no shadow copy"], usize::MAX),
    ("lu", &[SHIFTED, "no shadow copy"], usize::MAX),
    ("wing", &["sines of the browser"], 60),
];
const SHIFTED: &str = "a shifted coordinate";

/// A film of its own, whose targets have 16 bits a channel. What rounds to them is the driver's choice:
/// 1.00085 becomes 1 in Mesa and 1.00098 in SwiftShader, and -1.00085 the same below zero.
const HALVES: &str = "halves";
const CUT: &str = "16 bits, to which llvmpipe cuts off and SwiftShader rounds";

/// Films whose steps compile nothing once the player has warmed up.
const WARM: [&str; 2] = ["cg", "vcycle"];

/// Films, and scenes whose title begins like this, that come out bit by bit: their arithmetic leaves no
/// choice of order.
const EXACT: [(&str, &str); 3] = [("cg", "Ten iterations"), ("gauss-seidel", ""), ("lu", "")];

/// Mesa's llvmpipe adds (a + b) + (c + d) where the text says ((a + b) + c) + d.
const ORDER: &str = "sums of several terms, whose order Mesa's compiler changes";
/// The terms of scalar products.
const LENGTH: &str = "dot and length, whose terms may be added in any order";
const EXPONENTIAL: &str = "exp, which drivers compute to some units in the last place";
/// SwiftShader's own sines, 2^-12 off, would be 1560 roundings: the player has its own.
const CIRCLE: &str = "exp, as well as sines, which are the player's own here";

/// Kernels that need not come out bit by bit, by the file's name, and the cause.
const DIFFERENT: [(&str, &str); 10] = [
    ("bolz2003/sparse/diagonal", LENGTH),
    ("bolz2003/sparse/off_diagonal", LENGTH),
    ("bolz2003/sparse/right_hand_side", ORDER),
    ("goodnight2003/multigrid/fastpath/residual", LENGTH),
    ("goodnight2003/multigrid/fastpath/smooth", LENGTH),
    ("goodnight2003/multigrid/restrict", ORDER),
    ("goodnight2003/problem/metric_joukowski", CIRCLE),
    ("goodnight2003/wing/transport", ORDER),
    ("kruger2003/simulation/push", EXPONENTIAL),
    ("kruger2003/simulation/stroke", EXPONENTIAL),
];

/// Of these, residuals and their means, of both signs: their rounding errors are as large as their terms make them,
/// and not as the small values that are left.
const CANCELLING: [&str; 2] =
    ["goodnight2003/multigrid/fastpath/residual", "goodnight2003/multigrid/restrict"];

/// Keeps the whole target of every pass.
#[derive(Default)]
struct Texels(RefCell<Vec<f32>>);

impl Observer for Texels {
    fn after(&self, pass: Drawing<'_>, _: Switches) {
        let target = pass.target.read_back().expect("a target");
        self.0.borrow_mut().extend(target);
    }
}

/// Records a run with all its texels.
fn filmed(machine: &Machine, film: impl FnOnce() -> Film) -> (Film, Vec<f32>) {
    let texels = Rc::new(Texels::default());
    let observation = machine.observe(texels.clone()).expect("an observer");
    let film = film();
    drop(observation);
    (film, texels.0.take())
}

/// Programs of `glsl/` that a browser may be expected to compile: every fourth one, or all at night.
fn programs() -> Vec<Value> {
    let machine = machine();
    let open = assembled();
    let mut seen = BTreeSet::new();
    let tried = open.iter().step_by(if all_pages() { 1 } else { 4 });
    let all = tried.map(|one| (one, one.kernel(&machine)));
    all.filter(|(_, kernel)| !kernel.text().fragment.contains(DOUBLE))
        .map(|(one, kernel)| {
            json!({
                "name": format!("{one:?}"),
                "vertex": kernel.text().vertex,
                "fragment": kernel.text().fragment,
                "points": kernel.name().ends_with("for points"),
                // As it is made to tell what it fetches: once a file, whatever its parts.
                "probed": seen.insert(one.program),
            })
        })
        .collect()
}

/// Two V-cycles with floats of 16 bits, which no scene has.
fn of_half_precision(machine: &Machine) -> Film {
    let recorder = Recorder::start(machine, about(HALVES), PAGE_BYTES, |_| ());
    let recorder = recorder.expect("a recorder");
    let grid = Grid::unit(17, 17).expect("a grid");
    let sides = Boundaries::all(&grid, Condition::value(0.5));
    let source = (0..grid.nodes(0)).map(|place| (place % 7) as f64 - 3.0);
    let source = source.collect();
    let problem = Problem::new(grid, Metric::cartesian(), sides, source).expect("a problem");
    let settings = Settings { precision: Format::Rgba16F, ..Settings::robust() };
    let mut solver = Solver::new(machine, &problem, &settings).expect("a solver");
    for _ in 0..2 {
        solver.cycle().expect("a cycle");
    }
    drop(solver);
    recorder.finish().expect("a film")
}

/// The player and the task for `check.js`: all programs, films with all their texels.
fn task() -> String {
    let mut elements = String::new();
    let mut films = Vec::new();
    let machine = machine();
    // Those with expectations of their own, or all at night.
    let named = EXACT.map(|one| one.0).into_iter().chain(FAULTY.map(|one| one.0)).chain(WARM);
    let named: Vec<&str> = named.collect();
    let scenes = all().filter(|scene| all_pages() || named.contains(&scene.name));
    let scenes = scenes.map(|scene| {
        let film = || scene.film(&machine).expect(scene.name);
        (scene.name, filmed(&machine, film))
    });
    let halves = (HALVES, filmed(&machine, || of_half_precision(&machine)));
    for (name, (film, texels)) in scenes.chain([halves]) {
        // Unpacked: a page that waits for that is gone.
        elements += &film_elements(name, &film);
        elements += &element(&format!("texels-{name}"), "", &bytes(&texels));
        let planted = FAULTY.iter().find(|(faulty, ..)| *faulty == name);
        let planted =
            planted.map(|(_, faults, events)| json!({"faults": faults, "events": events}));
        films.push(json!({"name": name, "planted": planted}));
    }
    let task = json!({"programs": programs(), "films": films, "warm": WARM});
    elements += &element("task", "", task.to_string().as_bytes());
    instead_of_start(&elements, &text("tests/film/check.js"))
}

/// What was found of one kernel in one scene.
struct Finding<'a> {
    film: &'a str,
    scene: &'a str,
    kernel: &'a str,
    passes: u64,
    same: u64,
    /// The largest difference, in units of what is allowed for what is as large as the target.
    of_target: f64,
    /// Tolerance for what is as large as the numbers that were read.
    of_operands: f64,
}

fn findings<'a>(found: &'a Value) -> Vec<Finding<'a>> {
    let films = found["films"].as_object().expect("films").iter();
    let kernels = films.flat_map(|(film, kernels)| {
        let kernels = kernels.as_array().expect("kernels").iter();
        kernels.map(move |kernel| (film, kernel))
    });
    let finding = |(film, kernel): (&'a String, &'a Value)| Finding {
        film,
        scene: kernel["scene"].as_str().expect("a title"),
        kernel: kernel["kernel"].as_str().expect("a name"),
        passes: kernel["passes"].as_u64().expect("a count"),
        same: kernel["same"].as_u64().expect("a count"),
        of_target: kernel["ofTarget"].as_f64().expect("a number"),
        of_operands: kernel["ofOperands"].as_f64().expect("a number"),
    };
    kernels.map(finding).collect()
}

#[test]
fn a_browser_compiles_every_program_and_computes_each_pass_as_recorded() {
    let Some(found) = answers(&[&task()]) else {
        return;
    };
    let found = &found[0];
    assert_eq!(found["refused"], json!([]));
    let findings = findings(found);
    each_pass_is_within_four_roundings(&findings);
    what_leaves_no_choice_of_order_is_bit_by_bit(&findings);
    planted_faults_are_noticed(&found["caught"]);
    assert_eq!(found["late"], json!([0, 0]));
}

fn each_pass_is_within_four_roundings(findings: &[Finding<'_>]) {
    let mut wrong = Vec::new();
    for one in findings {
        let place = format!("{}, {}: {}", one.film, one.scene, one.kernel);
        let of_passes = format!("{} of {} passes bit by bit", one.same, one.passes);
        let is_of = |file: &str| one.kernel.split(' ').next() == Some(file);
        let cause = DIFFERENT.iter().find(|(file, _)| is_of(file));
        let cause = match one.film == HALVES {
            true => Some(CUT),
            false => cause.map(|(_, cause)| *cause),
        };
        let excess =
            if CANCELLING.into_iter().any(is_of) { one.of_operands } else { one.of_target };
        match cause {
            _ if excess > 1.0 => wrong.push(format!("{place}: {excess} times what is allowed")),
            _ if one.same == one.passes => {}
            Some(cause) => eprintln!("{place}: {of_passes}; {cause}"),
            None => wrong.push(format!("{place}: {of_passes}")),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(findings.iter().any(|one| one.film == HALVES));
}

fn what_leaves_no_choice_of_order_is_bit_by_bit(findings: &[Finding<'_>]) {
    for (film, scene) in EXACT {
        let all = findings.iter();
        let exact = all.filter(|one| one.film == film && one.scene.starts_with(scene));
        let (passes, same) = exact.fold((0, 0), |(p, s), one| (p + one.passes, s + one.same));
        assert!(passes > 0 && same == passes, "{film}: {same} of {passes}");
    }
}

fn planted_faults_are_noticed(caught: &Value) {
    for (film, faults, _) in FAULTY {
        for fault in faults {
            let passes = caught[film][fault].as_u64().expect("a count");
            // Nothing feeds back in a reduction.
            let is_harmless = (film, *fault) == ("reduction", "no shadow copy");
            assert_eq!(passes == 0, is_harmless, "{film}, {fault}: {passes}");
        }
    }
}
