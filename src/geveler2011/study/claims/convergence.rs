//! §4.2: numbers of cycles, independent of the level and of the numbering.

use std::ops::RangeInclusive;

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::geveler2011::solves::fem;
use crate::stream::Machine;
use crate::timing::rig::range;

use crate::geveler2011::{
    Discretisation, Element, Numbering, Precision, Settings, Setup, Smoother, Space, device, host,
    picture,
};

/// Maximum number of cycles of each element on CIRCLE.
const MOST: [f64; 2] = [18.0, 27.0];

/// Smallest level of BLOOD in the paper.
const BLOOD_FROM: u8 = 4;

/// Largest difference of the number of cycles between levels, and between numberings.
const SPREAD: [f64; 2] = [2.0, 1.0];

/// Numbers of cycles from the first of these levels to the last, in each of the claim's cases.
fn of_levels(
    run: &mut Run<'_>,
    first: u8,
    one: &fem::Settings,
) -> Result<(String, [f64; 2]), BoxedError> {
    let (kind, precision) = available(run.machine, one.precision);
    let counts = (first..=one.levels).map(|level| {
        let system = one.on_level(level).assembled()?.system;
        cycles_with(run.machine, &system, &one.solver(), precision)
    });
    let counts = counts.collect::<Result<Vec<usize>, _>>()?;
    let name = format!("{:?}, levels {first} to {}, {kind}", one.element, one.levels);
    Ok((name, range(counts.into_iter().map(|count| count as f64))))
}

pub(super) fn cycles(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.each::<fem::Settings, 9>(claim)?;
    let (cases, numberings) = each.split_at(4);
    let (mut found, mut largest) = (Found::new(), Vec::new());
    for (case, most) in cases.chunks(2).zip(MOST) {
        let mut of_case = 0.0_f64;
        for one in case {
            let first = one.levels.saturating_sub(1).clamp(1, 4);
            let (name, [low, high]) = of_levels(run, first, one)?;
            of_case = of_case.max(high);
            found = found.at_most(name, ([low, high], "cycles"), most).at_most(
                "spread",
                high - low,
                SPREAD[0],
            );
        }
        largest.push(of_case);
    }
    let counts = numberings.iter().map(|one| {
        cycles_with(run.machine, &one.assembled()?.system, &one.solver(), one.precision)
    });
    let counts = counts.collect::<Result<Vec<usize>, _>>()?;
    let spread = counts.iter().map(|count| count.abs_diff(counts[0])).max();
    let level = run.pick(3, 5);
    run.figure(
        "circle",
        "The solution on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.",
        solution(level)?,
    );
    Ok(found
        .list("most cycles of each element", largest, "cycles")
        .at_most("largest difference between numberings", spread.map_or(0.0, |n| n as f64), SPREAD[1])
        .because(
            "V-cycles to 1e-8 of the first defect; coarsest level by conjugate gradients to two digits. In double \
             precision as in the paper, and in mixed precision.",
        )
        .expecting(claim.paper))
}

pub(super) fn blood_cycles(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let each = run.each::<fem::Settings, 3>(claim)?;
    let (cases, few) = each.split_at(2);
    let (mut found, mut all) = (Found::new(), Vec::new());
    for one in cases {
        let (name, [low, high]) = of_levels(run, one.levels.min(BLOOD_FROM), one)?;
        all.extend([low, high]);
        found = found.shows(name, ([low, high], "cycles")).at_most("spread", high - low, SPREAD[0]);
    }
    let (_, outcome) = host::solve(&few[0].assembled()?.system, &few[0].solver())?;
    Ok(found
        .shows("cycles", range(all))
        .headline("cycles")
        .holds("no convergence with CIRCLE's smoothing", !outcome.reason.is_converged())
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

/// Setup, element, and levels in quick and in full mode.
type Case = (Setup, Element, [RangeInclusive<usize>; 2]);

/// With an approximate inverse and four sweeps.
const INVERSES: [Case; 3] = [
    (Setup::Circle, Element::Q1, [4..=4, 4..=6]),
    (Setup::Circle, Element::Q2, [3..=3, 3..=5]),
    (Setup::Blood, Element::Q1, [2..=3, 2..=4]),
];

/// Maximum number of cycles on CIRCLE with an approximate inverse.
const INVERSE: f64 = 7.0;

pub(super) fn approximate_inverses(run: &mut Run<'_>, _: &Claim) -> Checked {
    let settings = Settings { smoother: Smoother::Spai, omega: 1.0, ..Settings::paper_circle() };
    let (mut found, mut largest) = (Found::new(), Vec::new());
    for (setup, element, [quick, full]) in INVERSES {
        let mut of_case = 0.0_f64;
        for level in run.pick(quick, full) {
            let levels = setup.discretise(&setup.meshes(level), element, Numbering::TwoLevel)?;
            let cycles = cycles_with(run.machine, &levels, &settings, Precision::Mixed)?;
            let name = format!("{setup:?} {element:?}, level {level}");
            let cycles = cycles as f64;
            of_case = of_case.max(cycles);
            found = match setup {
                Setup::Circle => found.at_most(name, (cycles, "cycles"), INVERSE),
                // It converged.
                Setup::Blood => found.shows(name, (cycles, "cycles")),
            };
        }
        largest.push(of_case);
    }
    let name = "most cycles of each setup and element";
    Ok(found.list(name, largest, "cycles").because(
        "SPAI-1: rows of M⁻¹ have the pattern of A's and minimise ‖m A − e‖, with ω = 1 and four sweeps before and after. \
         On BLOOD, Jacobi's smoother takes 64 sweeps (`blood-cycles`).",
    ))
}

/// PNG of the solution on a level of CIRCLE, in colours: Q2. Level 5 is fine enough to hide the coarse mesh.
fn solution(level: usize) -> Result<Vec<u8>, BoxedError> {
    let (meshes, element) = (Setup::Circle.meshes(level), Element::Q2);
    let levels = Setup::Circle.discretise(&meshes, element, Numbering::TwoLevel)?;
    let (u, _) = host::solve(&levels, &Setup::Circle.settings())?;
    let space = Space::new(&meshes[level - 1], element);
    let note = format!("{} unknowns", space.dimension());
    Ok(picture(&space, &u, format!("CIRCLE, Q2, level {level}"), note)?)
}
