//! §4.2: cycles that depend neither on the level nor on the numbering.

use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
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

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "geveler2011/convergence",
    section: "§4.2",
    title: "Cycles",
    claims: &[CONVERGENCE],
    run,
};

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let (mut lines, mut holds) = (Vec::new(), true);
    let mut levels = match options.quick {
        true => [4..=5, 3..=4, 2..=2, 2..=2],
        false => [4..=8, 4..=7, 2..=4, 2..=3],
    };
    if let Some(last) = options.given.levels {
        levels[..2].clone_from_slice(&[4..=last, 3..=last - 1]);
    }
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
    let meshes = Setup::Circle.meshes(if options.quick { 3 } else { 4 });
    let in_numbering = |n| cycles(machine, Setup::Circle, &meshes, Element::Q1, n);
    let by_numbering = Numbering::ALL.map(in_numbering);
    let by_numbering = by_numbering.into_iter().collect::<Result<Vec<_>, _>>()?;
    holds &= by_numbering
        .iter()
        .all(|n| n.abs_diff(by_numbering[0]) <= 1);
    lines.push(format!("by numbering {by_numbering:?}"));
    let (after, growth) = divergence()?;
    holds &= growth > 1e3;
    let finding = CONVERGENCE.judge(
        holds,
        lines.join("; "),
        format!(
            "V-cycles to 1e-8 of the first defect, coarsest level by conjugate gradients to two digits, \
             mixed precision. With four sweeps and ω = 0.7 the vessel's level 4 diverges: after {after} \
             cycles the defect is {growth:.0e} times the first."
        ),
    );
    let [circle, blood] = solutions()?;
    let finding = finding.with_figure(
        "geveler2011/circle.png",
        "What is solved on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.",
        circle,
    );
    let finding = finding.with_figure(
        "geveler2011/blood.png",
        "The stand-in for BLOOD, with −Δu = 1 and u = 0 on the boundary: the paper's u is 1 everywhere.",
        blood,
    );
    Ok(vec![finding])
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
        false => Err(format!("{setup:?} {element:?} {numbering:?}: {}", outcome.reason).into()),
    }
}

/// How many cycles with CIRCLE's smoothing it takes until the vessel's are seen to diverge, and by what
/// factor the defect has grown then.
fn divergence() -> Result<(usize, f64), BoxedError> {
    let few = Settings {
        cycle: Cycle::v(4, 4),
        omega: 0.7,
        ..Settings::paper_blood()
    };
    let meshes = Setup::Blood.meshes(4);
    let levels = Setup::Blood.discretise(&meshes, Element::Q1, Numbering::TwoLevel)?;
    let (_, outcome) = host::solve(&levels, &few)?;
    Ok((outcome.iterations, outcome.residual / outcome.history[0]))
}

/// A solution on either mesh, in colours: Q2, on a level on which the coarse mesh cannot be seen.
fn solutions() -> Result<[Vec<u8>; 2], BoxedError> {
    let draw = |setup: Setup, meshes: &[QuadMesh], levels: Discretisation| {
        let (u, _) = host::solve(&levels, &setup.settings())?;
        let space = Space::new(&meshes[meshes.len() - 1], Element::Q2);
        let mesh = format!("{setup:?}").to_uppercase();
        let title = format!("{mesh}, Q2, level {}", meshes.len());
        let note = format!("{} unknowns", space.dimension());
        Ok::<_, BoxedError>(picture(&space, &u, title, note)?)
    };
    let meshes = Setup::Circle.meshes(5);
    let levels = Setup::Circle.discretise(&meshes, Element::Q2, Numbering::TwoLevel)?;
    let circle = draw(Setup::Circle, &meshes, levels)?;
    let meshes = Setup::Blood.meshes(3);
    let membrane = Problem {
        source: &|_| 1.0,
        boundary: vec![Condition::Dirichlet(&|_| 0.0); 4],
    };
    let levels = Discretisation::new(&meshes, Element::Q2, &membrane, Numbering::TwoLevel)?;
    Ok([circle, draw(Setup::Blood, &meshes, levels)?])
}
