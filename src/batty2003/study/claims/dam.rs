//! A breaking dam in a box of 100³ cells (32³ and eight solves in quick mode), and one run of it that ten claims
//! read.
//!
//! It replaces the paper's scene, of which only the number of solves, 51, is printed. It was fixed before anything
//! was measured. The paper does not print its tolerance, either; its 188 iterations fit 10⁶ cells and 1e-3 to 1e-4.

use std::time::Instant;

use rayon::ThreadPoolBuilder;

use crate::base::error::BoxedError;
use crate::base::order::ShortSort;
use crate::batty2003::scenes::flip::{Liquid, Scene};
use crate::batty2003::scenes::liquid::{self, LIQUID};
use crate::batty2003::scenes::picture::{GlassBox, Surface};
use crate::batty2003::study::table::{PARTS, printed};
use crate::batty2003::{
    Error, GpuSolver, Operation, Preconditioner, PressureSolver, Settings, System, host_solver,
};
use crate::card::cost::{QUADRO_FX_1000, QUADRO_FX_2000};
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::picture::{Canvas, png};
use crate::solver::Criteria;
use crate::stream::{Ledger, Machine};
use crate::timing::cost::all;
use crate::timing::median;

use super::iterations::Iterations;

/// Timed solves of each of the three systems, which make the six rounds of a verdict.
const TIMES: usize = 2;

/// The first step's system.
pub fn first_system(scene: Scene) -> Result<System<f64>, Error> {
    let mut liquid = Liquid::new(scene)?;
    // The system is assembled before it is solved, and the step's result does not matter: from zero, at most ‖b‖ is
    // left.
    let unsolved = Criteria::to(2.0);
    let mut solver = host_solver::<f64>(Preconditioner::None);
    liquid.step(&mut solver, &unsolved)?;
    Ok(liquid.system().clone())
}

/// One run of the dam.
pub static DAM: Study = Study::measuring(
    "batty2003/dam",
    "A breaking dam: a third of its systems solved by all solvers, MIC(0) on the CPU for the others",
    Takes::of(
        &LIQUID,
        "paper",
        "scene size dt keep_volume layout index offsets guess grouping scalars stop_at rtol \
        maxiter norm_every steps",
    ),
    &[
        (
            "{usual|waited}.iterations",
            "",
            "iterations of each solve on the GPU, with these settings; or waiting for each operation",
        ),
        (
            "{usual|waited}.calls.{product|dot|scale_add|precondition|set_up|read_back}",
            "",
            "calls of each solve",
        ),
        (
            "{usual|waited}.seconds.{product|dot|scale_add|precondition|set_up|read_back}",
            "s",
            "seconds of each solve; not waited for, until the calls return",
        ),
        ("{usual|waited}.seconds.{operations|all}", "s", "the first four of these; all of them"),
        ("waited.order", "", "the six, the longest first, by the medians of their shares"),
        ("seconds.{diagonal|ic}", "s", "of each solve on one core of the CPU"),
        ("seconds.gpu", "s", "of each solve on the GPU"),
        (
            "iterations.{diagonal|ic}.{to_2|to_3|last}",
            "",
            "of all solves in double precision, to 1e-2, 1e-3 and at most 1e-4 of the right-hand side",
        ),
        (
            "starts.{warm|right_side}",
            "",
            "iterations of all systems from the last pressure or from the right-hand side, in single precision on the CPU",
        ),
        ("left", "", "divergence after each step, relative to that before"),
        (
            "uncorrected",
            "",
            "largest residual of the GPU's recursion without corrections, relative to the right-hand side",
        ),
        ("volume", "m³", "of the liquid after each step"),
        ("cells", "", "along a side"),
        (
            "fx_1000.{product|dot|scale_add|precondition|set_up|read_back}",
            "s",
            "in the last solve, by the model; set-up and read-back as printed, by the number of cells",
        ),
        ("fx_{1000|2000}.all", "s", "the last solve by the model, with these transfers"),
        ("fetches.{product|dot|scale_add|precondition}", "", "fetches of a call"),
    ],
    measured,
);

/// A solve on the GPU.
struct Solve {
    iterations: f64,
    /// Numbers of products, dots, scale-adds, preconditionings, set-ups, read-backs.
    calls: [f64; 6],
    /// Seconds of each of them; without waiting for each operation, until its calls return.
    seconds: [f64; 6],
    /// Seconds in total.
    all: f64,
}

fn measured(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: liquid::Settings = experiment.typed()?;
    let (scene, as_often) = (settings.read()?, settings.criteria());
    let criteria = Criteria { norm_every: 1, ..as_often };
    let (machine, size) = (place.machine, scene.size);
    // Three systems.
    let every = experiment.steps().div_ceil(3);
    let paper = settings.on_gpu();
    let waited_for = Settings { finish: true, ..paper };
    let configurations = [paper, waited_for];
    let solvers = configurations.map(|settings| GpuSolver::new(machine, size, settings));
    let mut solvers = all(solvers)?;
    let mut corrected = GpuSolver::new(machine, size, paper)?;
    // In single precision, as on the GPU.
    let kinds = [Preconditioner::Diagonal, Preconditioner::Ic];
    let mut on_cpu = kinds.map(host_solver::<f32>);
    let one_core = ThreadPoolBuilder::new().num_threads(1).build();
    let one_core = one_core.map_err(|error| format!("no thread for one core: {error}."))?;
    let mut between = host_solver::<f64>(Preconditioner::Mic);
    let mut solves = configurations.map(|_| Vec::new());
    let (mut seconds, mut ledger) = (Vec::new(), Ledger::default());
    let (mut iterations, mut uncorrected, mut starts) = (Iterations::default(), 0.0_f64, [0; 2]);
    let mut step = 0;
    let mut solve = |system: &System<f64>, pressure: &mut Vec<f64>, criteria: &Criteria| {
        step += 1;
        for (from, sum) in [&*pressure, &system.right_side].into_iter().zip(&mut starts) {
            let outcome = on_cpu[0].solve(system, &mut from.clone(), criteria)?;
            *sum += outcome.iterations;
        }
        if step % every != every / 2 {
            return between.solve(system, pressure, criteria);
        }
        iterations.add(system, *criteria)?;
        let last = pressure.clone();
        for _ in 0..TIMES {
            let mut each = [0.0; 3];
            for (solver, seconds) in on_cpu.iter_mut().zip(&mut each) {
                let (mut pressure, start) = (last.clone(), Instant::now());
                one_core.install(|| solver.solve(system, &mut pressure, criteria))?;
                *seconds = start.elapsed().as_secs_f64();
            }
            // The paper's own configuration is last, so that its pressure is the one that is corrected.
            for k in (0..solvers.len()).rev() {
                let (solved, work, found) =
                    timed(machine, &mut solvers[k], (system, &last), &as_often)?;
                (ledger, *pressure, each[2]) = (work, found, solved.all);
                solves[k].push(solved);
            }
            seconds.push(each);
        }
        let nothing = vec![0.0; pressure.len()];
        let left = system.residual_norm(pressure) / system.residual_norm(&nothing);
        uncorrected = worst([uncorrected, left]);
        corrected.solve(system, pressure, &as_often)
    };
    let mut liquid = Liquid::new(scene)?;
    let steps = (0..experiment.steps()).map(|_| liquid.step(&mut solve, &criteria));
    let steps = steps.collect::<Result<Vec<_>, _>>()?;
    let mut record = Record::new();
    for (name, solves) in ["usual", "waited"].into_iter().zip(&solves) {
        record.each(format!("{name}.iterations"), solves.iter().map(|solve| solve.iterations));
        for (k, part) in PARTS.into_iter().enumerate() {
            let name = |what| format!("{name}.{what}.{part}");
            record.each(name("calls"), solves.iter().map(|solve| solve.calls[k]));
            record.each(name("seconds"), solves.iter().map(|solve| solve.seconds[k]));
        }
        for (part, count) in [("operations", 4), ("all", PARTS.len())] {
            let sum = |solve: &Solve| solve.seconds[..count].iter().sum();
            record.each(format!("{name}.seconds.{part}"), solves.iter().map(sum));
        }
    }
    record.text("waited.order", order(&solves[1]));
    for (k, name) in ["diagonal", "ic", "gpu"].into_iter().enumerate() {
        record.each(format!("seconds.{name}"), seconds.iter().map(|each: &[f64; 3]| each[k]));
    }
    for (k, name) in ["diagonal", "ic"].into_iter().enumerate() {
        for (to, kinds) in ["to_2", "to_3", "last"].into_iter().zip(iterations.0) {
            record.one(format!("iterations.{name}.{to}"), kinds[k] as f64);
        }
    }
    record.one("starts.warm", starts[0] as f64);
    record.one("starts.right_side", starts[1] as f64);
    record.each("left", steps.iter().map(|step| step.divergence_after / step.divergence_before));
    record.each("volume", steps.iter().map(|step| step.volume));
    record.one("uncorrected", uncorrected);
    let side = size.into_iter().fold(0, usize::max);
    record.one("cells", side as f64);
    let millions = (side as f64 / 100.0).powi(3);
    let transfers = ["set_up", "read_back"].map(|part| {
        let seconds = 1e-3 * printed(&format!("ms.{part}")) * millions;
        record.one(format!("fx_1000.{part}"), seconds);
        seconds
    });
    for (name, card) in [("fx_1000", QUADRO_FX_1000), ("fx_2000", QUADRO_FX_2000)] {
        let all = card.seconds(&ledger)? + transfers[0] + transfers[1];
        record.one(format!("{name}.all"), all);
    }
    for (operation, name) in Operation::ALL.into_iter().zip(PARTS) {
        // Each pass renders to another surface than the previous one.
        let part = operation.part(&ledger);
        let part = Ledger { target_switches: part.total().passes, ..part };
        record.one(format!("fx_1000.{name}"), QUADRO_FX_1000.seconds(&part)?);
        let fetches = part.total().fetches as f64 / operation.calls(&part) as f64;
        record.one(format!("fetches.{name}"), fetches);
    }
    let canvas = Canvas::new(machine, 800, 600)?;
    let surface = Surface::of(liquid.surface());
    GlassBox::new(machine, liquid.scene())?.draw(&surface, &canvas)?;
    let steps = steps.len();
    let caption = format!("The dam after {steps} steps of 1/120 s, {side}³ cells.");
    record.picture("liquid", caption, png(&canvas.image()?)?);
    Ok(record)
}

/// The parts of a solve, the longest first.
fn order(solves: &[Solve]) -> String {
    let share = |k: usize| {
        let shares =
            solves.iter().map(|solve| solve.seconds[k] / solve.seconds.iter().sum::<f64>());
        median(shares.collect())
    };
    let mut order: Vec<usize> = (0..PARTS.len()).collect();
    order.order_by(|&a, &b| share(b).total_cmp(&share(a)));
    let names: Vec<String> = order.into_iter().map(|part| PARTS[part].replace('_', "-")).collect();
    names.join(", ")
}

/// Solves a system from the last step's pressure, unless the solver's settings say otherwise. Returns the work between
/// set-up and read-back, and the pressure.
fn timed(
    machine: &Machine,
    solver: &mut GpuSolver,
    (system, last): (&System<f64>, &[f64]),
    criteria: &Criteria,
) -> Result<(Solve, Ledger, Vec<f64>), Error> {
    // Programs are compiled at their first use, which is not part of a set-up.
    solver.set_up(system, last)?;
    solver.iterate(&Criteria { max_iterations: 1, ..*criteria })?;
    solver.seconds().take();
    machine.finish();
    let start = Instant::now();
    solver.set_up(system, last)?;
    machine.finish();
    let set_up = start.elapsed().as_secs_f64();
    machine.take_ledger();
    let outcome = solver.iterate(criteria)?;
    machine.finish();
    let solved = start.elapsed().as_secs_f64();
    let ledger = machine.take_ledger();
    let pressure = solver.read_back()?;
    let all = start.elapsed().as_secs_f64();
    let [product, dot, scale_add, precondition] =
        Operation::ALL.map(|one| one.calls(&ledger) as f64);
    let calls = [product, dot, scale_add, precondition, 1.0, 1.0];
    let [product, dot, scale_add, precondition] = solver.seconds().take();
    let seconds = [product, dot, scale_add, precondition, set_up, all - solved];
    let iterations = outcome.iterations as f64;
    let solve = Solve { iterations, calls, seconds, all };
    Ok((solve, ledger, pressure))
}
