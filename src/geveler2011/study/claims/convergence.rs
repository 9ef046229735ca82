//! §4.2: numbers of cycles, independent of the level and of the numbering.

use std::ops::RangeInclusive;

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::geveler2011::solves::fem::{self, MeshSource};
use crate::stream::Machine;
use crate::timing::rig::range;

use crate::geveler2011::{
    Condition, Discretisation, Element, Numbering, Precision, Problem, QuadMesh, Settings, Setup,
    Smoother, Space, device, host, picture,
};

/// Maximum number of cycles of each mesh and element.
const MOST: [f64; 4] = [18.0, 27.0, 6.0, 7.0];

/// Largest difference of the number of cycles between levels, and between numberings.
const SPREAD: [f64; 2] = [2.0, 1.0];

/// Growth of the defect that counts as divergence.
const DIVERGED: f64 = 1e3;

pub(super) fn cycles(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.each::<fem::Settings, 14>(claim)?;
    let [cases, numberings, few] = [&each[..8], &each[8..13], &each[13..]];
    let (mut found, mut largest) = (Found::new(), Vec::new());
    for (case, most) in cases.chunks(2).zip(MOST) {
        let mut of_case = 0.0_f64;
        let fem::Settings { mesh, element, levels: last, .. } = &case[0];
        let (mesh, first) = match mesh {
            MeshSource::Paper(Setup::Circle) => ("Circle", last.saturating_sub(1).clamp(1, 4)),
            _ => ("Blood", *last.min(&2)),
        };
        let name = format!("{mesh} {element:?}, levels {first} to {last}");
        for one in case {
            let (kind, precision) = available(run.machine, one.precision);
            let counts = (first..=*last).map(|level| {
                let system = one.on_level(level).assembled()?.system;
                cycles_with(run.machine, &system, &one.solver(), precision)
            });
            let counts = counts.collect::<Result<Vec<usize>, _>>()?;
            let [low, high] = range(counts.into_iter().map(|count| count as f64));
            of_case = of_case.max(high);
            found = found
                .at_most(format!("{name}, {kind}"), ([low, high], "cycles"), most)
                .at_most("spread", high - low, SPREAD[0]);
        }
        largest.push(of_case);
    }
    let counts = numberings.iter().map(|one| {
        cycles_with(run.machine, &one.assembled()?.system, &one.solver(), one.precision)
    });
    let counts = counts.collect::<Result<Vec<usize>, _>>()?;
    let spread = counts.iter().map(|count| count.abs_diff(counts[0])).max();
    for (name, caption, png) in solutions(run.pick([3, 2], [5, 3]))? {
        run.figure(name, caption, png);
    }
    Ok(found
        .list("most cycles of each setup and element", largest, "cycles")
        .at_most("largest difference between numberings", spread.map_or(0.0, |n| n as f64), SPREAD[1])
        .at_least("growth of BLOOD's defect with four sweeps and ω = 0.7", growth(&few[0])?, DIVERGED)
        .because(
            "V-cycles to 1e-8 of the first defect; coarsest level by conjugate gradients to two digits. In double \
             precision as in the paper, and in mixed precision.",
        )
        .expecting(claim.paper))
}

/// A precision and its name; pairs of floats for double precision on a driver without it.
fn available(machine: &Machine, precision: Precision) -> (&'static str, Precision) {
    match precision {
        Precision::Native if machine.description().double_precision => ("double", precision),
        Precision::Native | Precision::Pairs => ("pairs", Precision::Pairs),
        Precision::Mixed => ("mixed", precision),
        Precision::Single => ("single", precision),
    }
}

/// Number of cycles on the GPU.
fn cycles_with(
    machine: &Machine,
    levels: &Discretisation,
    settings: &Settings,
    precision: Precision,
) -> Result<usize, BoxedError> {
    let solved = device::solve(machine, levels, settings, precision)?;
    if solved.reason.is_converged() {
        Ok(solved.cycles())
    } else {
        Err(solved.reason.to_string().into())
    }
}

/// Setup, element, maximum number of cycles, and levels in quick and in full mode.
type Case = (Setup, Element, f64, [RangeInclusive<usize>; 2]);

/// With an approximate inverse and four sweeps.
const INVERSES: [Case; 3] = [
    (Setup::Circle, Element::Q1, 7.0, [4..=4, 4..=6]),
    (Setup::Circle, Element::Q2, 7.0, [3..=3, 3..=5]),
    (Setup::Blood, Element::Q1, 10.0, [2..=3, 2..=4]),
];

pub(super) fn approximate_inverses(run: &mut Run<'_>, _: &Claim) -> Checked {
    let settings = Settings { smoother: Smoother::Spai, omega: 1.0, ..Settings::paper_circle() };
    let (mut found, mut largest) = (Found::new(), Vec::new());
    for (setup, element, most, [quick, full]) in INVERSES {
        let mut of_case = 0.0_f64;
        for level in run.pick(quick, full) {
            let levels = setup.discretise(&setup.meshes(level), element, Numbering::TwoLevel)?;
            let cycles = cycles_with(run.machine, &levels, &settings, Precision::Mixed)?;
            let name = format!("{setup:?} {element:?}, level {level}");
            of_case = of_case.max(cycles as f64);
            found = found.at_most(name, (cycles as f64, "cycles"), most);
        }
        largest.push(of_case);
    }
    let name = "most cycles of each setup and element";
    Ok(found.list(name, largest, "cycles").because(
        "SPAI-1: rows of M⁻¹ have the pattern of A's and minimise ‖m A − e‖, with ω = 1 and four sweeps before and after. \
         BLOOD needs 64 sweeps of Jacobi's smoother.",
    ))
}

/// Growth of the defect on the CPU.
fn growth(settings: &fem::Settings) -> Result<f64, BoxedError> {
    let (_, outcome) = host::solve(&settings.assembled()?.system, &settings.solver())?;
    Ok(outcome.residual / outcome.history[0])
}

/// Name, caption and PNG of a picture.
type Picture = (&'static str, &'static str, Vec<u8>);

/// Solutions on these levels of both meshes, in colours: Q2. Levels 5 and 3 are fine enough to hide the coarse mesh.
fn solutions([circle, blood]: [usize; 2]) -> Result<[Picture; 2], BoxedError> {
    let draw = |setup: Setup, meshes: &[QuadMesh], levels: Discretisation| {
        let (u, _) = host::solve(&levels, &setup.settings())?;
        let space = Space::new(&meshes[meshes.len() - 1], Element::Q2);
        let mesh = format!("{setup:?}").to_uppercase();
        let title = format!("{mesh}, Q2, level {}", meshes.len());
        let note = format!("{} unknowns", space.dimension());
        Ok::<_, BoxedError>(picture(&space, &u, title, note)?)
    };
    let meshes = Setup::Circle.meshes(circle);
    let levels = Setup::Circle.discretise(&meshes, Element::Q2, Numbering::TwoLevel)?;
    let circle = draw(Setup::Circle, &meshes, levels)?;
    let meshes = Setup::Blood.meshes(blood);
    let (zero, one) = (|_: [f64; 2]| 0.0, |_: [f64; 2]| 1.0);
    let (cold, warm) = (Condition::Dirichlet(&zero), Condition::Dirichlet(&one));
    // The inner wall, the outer one, the dome and the ends.
    let boundary = vec![warm, cold, cold, Condition::Neumann(&zero)];
    let warm = Problem { source: &zero, boundary };
    let levels = Discretisation::new(&meshes, Element::Q2, &warm, Numbering::TwoLevel)?;
    let blood = draw(Setup::Blood, &meshes, levels)?;
    Ok([
        ("circle", "The solution on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.", circle),
        (
            "blood",
            "The stand-in for BLOOD: −Δu = 0 as in the paper, with u = 1 on the inner wall, 0 on the others, and no flux \
             through the ends; with u = 1 on the whole boundary, u is 1 everywhere.",
            blood,
        ),
    ])
}
