//! §4.1, §4.2: what single precision loses, and pairs of floats and mixed precision do not.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::Machine;

use super::super::elements::{Condition, Element, Numbering, Problem, Space};
use super::super::mesh::QuadMesh;
use super::super::multigrid::{Discretisation, Passes, Precision, Settings, device, host};
use super::super::problems::Setup;

const PRECISION: Claim = Claim {
    id: "geveler2011/precision",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.1, §4.2",
    statement: "All benchmarks are performed in double precision.",
    paper: "as accurate as the reference (here: within one cycle; the error of single precision grows)",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "geveler2011/precision",
    section: "§4.1, §4.2",
    title: "Precision",
    claims: &[PRECISION],
    run,
};

/// sin(2x + 0.3) eʸ, of which −Δu is three times as much.
fn exact([x, y]: [f64; 2]) -> f64 {
    libm::sin(2.0 * x + 0.3) * libm::exp(y)
}

/// The problem that [`exact`] solves, on the last of these meshes: the system of all levels, and the
/// points of the unknowns.
fn manufactured(meshes: &[QuadMesh]) -> Result<(Discretisation, Vec<[f64; 2]>), BoxedError> {
    let source = |at: [f64; 2]| 3.0 * exact(at);
    let problem = Problem {
        source: &source,
        boundary: vec![Condition::Dirichlet(&exact); 2],
    };
    let levels = Discretisation::new(meshes, Element::Q2, &problem, Numbering::TwoLevel)?;
    let finest = &meshes[meshes.len() - 1];
    Ok((levels, Space::new(finest, Element::Q2).points()))
}

/// The root of the mean squared error at all unknowns, and cycles; without a precision in f64 on the
/// CPU.
fn solve(
    machine: &Machine,
    (levels, points): &(Discretisation, Vec<[f64; 2]>),
    precision: Option<Precision>,
) -> Result<(f64, usize), BoxedError> {
    let settings = Settings {
        reduction: 1e-10,
        passes: Passes::Fused,
        ..Settings::paper_circle()
    };
    let (u, outcome) = match precision {
        Some(precision) => device::solve(machine, levels, &settings, precision)?,
        None => host::solve(levels, &settings)?,
    };
    let squares = levels.by_place(&u).into_iter().zip(points);
    let sum: f64 = squares.map(|(u, &at)| (u - exact(at)).powi(2)).sum();
    Ok(((sum / u.len() as f64).sqrt(), outcome.iterations))
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let last = (options.given.levels).map_or(if options.quick { 4 } else { 6 }, |last| last - 1);
    let first = if options.quick {
        last - 1
    } else {
        3.min(last - 1)
    };
    let meshes = Setup::Circle.meshes(last);
    let problems = (first..=last).map(|level| manufactured(&meshes[..level]));
    let problems = problems.collect::<Result<Vec<_>, _>>()?;
    let mut kinds = vec![
        ("f64 on the CPU", None),
        ("single", Some(Precision::Single)),
        ("mixed", Some(Precision::Mixed)),
        ("pairs", Some(Precision::Pairs)),
    ];
    if machine.context().description().double_precision {
        kinds.push(("native", Some(Precision::Native)));
    }
    let (mut ends, mut text, mut grows) = (Vec::new(), Vec::new(), false);
    for (name, precision) in kinds {
        // That an error grows is seen on two levels, that it is the reference's on one.
        let is_single = precision == Some(Precision::Single);
        let skipped = usize::from(options.quick && !is_single) * (problems.len() - 1);
        let problems = problems[skipped..].iter();
        let found = problems.map(|problem| solve(machine, problem, precision));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let (error, cycles) = found[found.len() - 1];
        match is_single {
            true => grows = error > found[found.len() - 2].0,
            false => ends.push((error, cycles)),
        }
        let errors: Vec<String> = found.iter().map(|(e, _)| format!("{e:.1e}")).collect();
        text.push(format!("{name} {} ({cycles} cycles)", errors.join(", ")));
    }
    let (reference, of_reference) = ends[0];
    let agree = ends.iter().all(|&(error, cycles)| {
        cycles.abs_diff(of_reference) <= 1 && (error / reference - 1.0).abs() < 0.01
    });
    let why = format!(
        "u = sin(2x + 0.3) eʸ, Q2 on CIRCLE, levels {first} to {last}, or where one number stands on the \
         last: root of the mean squared error at all unknowns, cycles on the last level to 1e-10. Pairs of \
         floats hold 48 bits and were legal in 2003; mixed precision takes its defects in them, and its \
         cycles in single precision; native is the driver's double precision, as in the paper, where it \
         has one. A sweep is one pass here."
    );
    Ok(vec![PRECISION.judge(agree && grows, text.join("; "), why)])
}
