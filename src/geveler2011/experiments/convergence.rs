//! §4.1, §4.2: cycles that depend neither on the level nor on the numbering, and precision.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::solver::CsrError;
use crate::solver::multigrid::Cycle;
use crate::stream::Machine;

use super::super::elements::picture::picture;
use super::super::elements::{Condition, Element, Numbering, Problem, Space};
use super::super::mesh::QuadMesh;
use super::super::multigrid::{Discretisation, Precision, Settings, device, host};
use super::super::problems::Setup;

const CONVERGENCE: Claim = Claim {
    id: "geveler2011/convergence",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Count,
    section: "§4.2",
    statement: "Cycles depend neither on the refinement level nor on the numbering; BLOOD needs more \
                smoothing.",
    paper: "independent (here: CIRCLE at most 18 and 27, BLOOD 6 and 7 cycles, spread at most 2)",
};

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
    id: "geveler2011/convergence",
    section: "§4.1, §4.2",
    title: "Cycles and precision",
    claims: &[CONVERGENCE, PRECISION],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    Ok(vec![
        convergence(machine, options.quick)?,
        precision(machine, options.quick)?,
    ])
}

/// Cycles on the stream processor, in mixed precision with the paper's smoothing.
fn cycles(
    machine: &Machine,
    setup: Setup,
    meshes: &[QuadMesh],
    element: Element,
    numbering: Numbering,
) -> Result<usize, BoxedError> {
    let levels = setup.discretise(meshes, element, numbering)?;
    let (_, outcome) = device::solve(machine, &levels, &setup.settings(), Precision::Mixed)?;
    match outcome.reason.is_converged() {
        true => Ok(outcome.iterations),
        false => Err(format!(
            "{setup:?}, {element:?}, {}: {}",
            numbering.name(),
            outcome.reason
        )
        .into()),
    }
}

fn convergence(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let (mut lines, mut holds) = (Vec::new(), true);
    let levels = match quick {
        true => [4..=5, 3..=4, 2..=2, 2..=2],
        false => [4..=8, 4..=7, 2..=4, 2..=3],
    };
    let cases = [
        (Setup::Circle, Element::Q1, 18),
        (Setup::Circle, Element::Q2, 27),
        (Setup::Blood, Element::Q1, 6),
        (Setup::Blood, Element::Q2, 7),
    ];
    for ((setup, element, limit), levels) in cases.into_iter().zip(levels) {
        let meshes = setup.meshes(*levels.end());
        let cycles = |level| {
            let meshes = &meshes[..level];
            cycles(machine, setup, meshes, element, Numbering::TwoLevel)
        };
        let found = levels.clone().map(cycles).collect::<Result<Vec<_>, _>>()?;
        let ends = found.iter().max().zip(found.iter().min());
        let spread = ends.map_or(0, |(most, least)| most - least);
        holds &= spread <= 2 && found.iter().all(|&n| n <= limit);
        lines.push(format!(
            "{setup:?} {element:?} levels {} to {}: {found:?}",
            levels.start(),
            levels.end()
        ));
    }
    let meshes = Setup::Circle.meshes(if quick { 3 } else { 4 });
    let in_numbering = |n| cycles(machine, Setup::Circle, &meshes, Element::Q1, n);
    let by_numbering = Numbering::ALL.map(in_numbering);
    let by_numbering = by_numbering.into_iter().collect::<Result<Vec<_>, _>>()?;
    holds &= by_numbering
        .iter()
        .all(|n| n.abs_diff(by_numbering[0]) <= 1);
    lines.push(format!("by numbering {by_numbering:?}"));
    // With CIRCLE's smoothing the vessel's cycles diverge.
    let few = Settings {
        cycle: Cycle::v(4, 4),
        omega: 0.7,
        ..Settings::paper_blood()
    };
    let meshes = Setup::Blood.meshes(4);
    let levels = Setup::Blood.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
    let (_, outcome) = host::solve(&levels, &few)?;
    let growth = outcome.residual / outcome.history[0];
    holds &= growth > 1e3;
    let finding = CONVERGENCE.judge(
        holds,
        lines.join("; "),
        format!(
            "V-cycles to 1e-8 of the first defect, coarsest level by conjugate gradients to two digits, \
             mixed precision. With four sweeps and ω = 0.7 the vessel's level 4 diverges: after {} cycles the \
             defect is {growth:.0e} times the first.",
            outcome.iterations
        ),
    );
    let [circle, blood] = solutions()?;
    let finding = finding.with_figure(
        "geveler2011/circle.png",
        "What is solved on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.",
        circle,
    );
    Ok(finding.with_figure(
        "geveler2011/blood.png",
        "The stand-in for BLOOD, with −Δu = 1 and u = 0 on the boundary: the paper's u is 1 everywhere.",
        blood,
    ))
}

/// A solution on either mesh, in colours: Q2, on a level on which the coarse mesh cannot be seen.
fn solutions() -> Result<[Vec<u8>; 2], BoxedError> {
    let draw = |setup: Setup, level, levels: &dyn Fn(&[QuadMesh]) -> Result<_, CsrError>| {
        let meshes = setup.meshes(level);
        let levels: Discretisation = levels(&meshes)?;
        let (u, _) = host::solve(&levels, &setup.settings())?;
        let space = Space::new(&meshes[level - 1], Element::Q2);
        let mesh = format!("{setup:?}").to_uppercase();
        let title = format!("{mesh}, Q2, level {level}");
        let note = format!("{} unknowns", space.dimension());
        Ok::<_, BoxedError>(picture(&space, &u, title, note)?)
    };
    let (one, zero) = (|_: [f64; 2]| 1.0, |_: [f64; 2]| 0.0);
    let membrane = Problem {
        source: &one,
        boundary: vec![Condition::Dirichlet(&zero); 4],
    };
    Ok([
        draw(Setup::Circle, 5, &|meshes| {
            Setup::Circle.discretise(meshes, Element::Q2, Numbering::TwoLevel)
        })?,
        draw(Setup::Blood, 3, &|meshes| {
            Discretisation::new(meshes, Element::Q2, &membrane, Numbering::TwoLevel)
        })?,
    ])
}

/// The root of the mean squared error at all unknowns, and cycles; `None` is the CPU's f64.
fn manufactured(
    machine: &Machine,
    meshes: &[QuadMesh],
    precision: Option<Precision>,
) -> Result<(f64, usize), BoxedError> {
    let exact = |[x, y]: [f64; 2]| libm::sin(2.0 * x + 0.3) * libm::exp(y);
    let source = |at: [f64; 2]| 3.0 * exact(at);
    let problem = Problem {
        source: &source,
        boundary: vec![Condition::Dirichlet(&exact); 2],
    };
    let levels = Discretisation::new(meshes, Element::Q2, &problem, Numbering::TwoLevel)?;
    let settings = Settings {
        reduction: 1e-10,
        ..Settings::paper_circle()
    };
    let (u, outcome) = match precision {
        Some(precision) => device::solve(machine, &levels, &settings, precision)?,
        None => host::solve(&levels, &settings)?,
    };
    let finest = &meshes[meshes.len() - 1];
    let points = Space::new(finest, Element::Q2).points();
    let squares = levels.by_place(&u).into_iter().zip(points);
    let sum: f64 = squares.map(|(u, at)| (u - exact(at)).powi(2)).sum();
    Ok(((sum / u.len() as f64).sqrt(), outcome.iterations))
}

fn precision(machine: &Machine, quick: bool) -> Result<Finding, BoxedError> {
    let [first, last] = if quick { [4, 5] } else { [3, 6] };
    let meshes = Setup::Circle.meshes(last);
    let mut kinds = vec![
        ("f64 on the CPU", None),
        ("single", Some(Precision::Single)),
        ("mixed", Some(Precision::Mixed)),
        ("pairs", Some(Precision::Pairs)),
    ];
    if machine.context().description().double_precision {
        kinds.push(("native", Some(Precision::Native)));
    }
    let (mut errors, mut cycles) = (Vec::new(), Vec::new());
    for &(_, precision) in &kinds {
        let mut of_levels = Vec::new();
        for level in first..=meshes.len() {
            let (error, n) = manufactured(machine, &meshes[..level], precision)?;
            of_levels.push(error);
            if level == meshes.len() {
                cycles.push(n);
            }
        }
        errors.push(of_levels);
    }
    let last = errors[0].len() - 1;
    let holds = errors[2..].iter().zip(&cycles[2..]).all(|(of_levels, &n)| {
        n.abs_diff(cycles[0]) <= 1 && (of_levels[last] / errors[0][last] - 1.0).abs() < 0.01
    }) && errors[1][last] > errors[1][last - 1];
    let text: Vec<String> = kinds
        .iter()
        .zip(&errors)
        .zip(&cycles)
        .map(|(((name, _), of_levels), n)| {
            let errors: Vec<String> = of_levels.iter().map(|e| format!("{e:.1e}")).collect();
            format!("{name} {} ({n} cycles)", errors.join(", "))
        })
        .collect();
    Ok(PRECISION.judge(
        holds,
        text.join("; "),
        format!(
            "u = sin(2x + 0.3) eʸ, Q2 on CIRCLE from level {first} on: root of the mean squared error at \
             all unknowns, cycles on the last level to 1e-10. Pairs of floats hold 48 bits and were legal \
             in 2003; mixed precision takes its defects in them, and its cycles in single precision; native \
             is the driver's double precision, as in the paper, where it has one."
        ),
    ))
}
