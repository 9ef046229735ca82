//! §4.2: numbers of cycles, independent of the level and of the numbering.

use std::ops::RangeInclusive;

use crate::base::interval::range;
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::geveler2011::solves::fem::{self, FEM};
use crate::stream::Machine;

use crate::geveler2011::{
    Discretisation, Element, Numbering, Precision, Settings, Setup, Smoother, Space, device, host,
    picture,
};

/// Maximum number of cycles of each element on CIRCLE.
const MOST: [f64; 2] = [18.0, 27.0];

/// Largest difference of the number of cycles between levels, and between numberings.
const SPREAD: [f64; 2] = [2.0, 1.0];

/// Settings that a solve depends on.
pub(super) const OF_A_SOLVE: &str = "mesh element levels rhs dirichlet numbering smoother omega pre post precision \
    rtol maxiter";

/// Cycles on several levels.
pub static CYCLES: Study = Study::measuring(
    "geveler2011/cycles",
    "Cycles of a solve on each level from the fourth on, or on the last two",
    Takes::of(&FEM, "paper", OF_A_SOLVE).and("neumann"),
    &[
        ("levels", "", "levels"),
        ("cycles", "", "of each"),
        ("converged", "", "1 for each that converged"),
        ("defect", "", "true defect of each at its end, relative to its start"),
        ("arithmetic", "", "of the cycles"),
    ],
    measured,
);

fn measured(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
    let (kind, precision) = available(place.machine, one.precision);
    let levels: Vec<u8> = (one.levels.saturating_sub(1).clamp(1, 4)..=one.levels).collect();
    let solved = levels.iter().map(|&level| {
        let system = one.on_level(level).assembled()?.system;
        Ok::<_, BoxedError>(device::solve(place.machine, &system, &one.solver(), precision)?)
    });
    let solved = solved.collect::<Result<Vec<_>, _>>()?;
    record.each("levels", levels.into_iter().map(f64::from));
    record.each("cycles", solved.iter().map(|solved| solved.cycles() as f64));
    let converged = solved.iter().map(|solved| f64::from(u8::from(solved.reason.is_converged())));
    record.each("converged", converged);
    record.each("defect", solved.iter().map(|solved| solved.residuals[1] / solved.residuals[0]));
    record.text("arithmetic", kind);
    Ok(record)
}

/// The cycles of a record, all of whose solves converged.
fn converged(record: &Record) -> Result<&[f64], BoxedError> {
    match record.all("converged")?.contains(&0.0) {
        true => Err("a solve did not converge".into()),
        false => Ok(record.all("cycles")?),
    }
}

/// The name of a case, and its fewest and most cycles.
fn of_levels(one: &fem::Settings, record: &Record) -> Result<(String, [f64; 2]), BoxedError> {
    let (first, kind) =
        (record.all("levels")?[0], record.text_of("arithmetic").unwrap_or_default());
    let name = format!("{:?}, levels {first} to {}, {kind}", one.element, one.levels);
    Ok((name, range(converged(record)?.iter().copied())))
}

pub(super) fn cycles(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (each, records) = (run.each::<fem::Settings, 9>(claim)?, run.records::<9>(claim)?);
    let all: Vec<_> = each.iter().zip(&records).collect();
    let (cases, numberings) = all.split_at(4);
    let (mut found, mut largest) = (Found::new(), Vec::new());
    for (case, most) in cases.chunks(2).zip(MOST) {
        let mut of_case = 0.0_f64;
        for (one, record) in case {
            let (name, [low, high]) = of_levels(one, record)?;
            of_case = of_case.max(high);
            found = found.at_most(name, ([low, high], "cycles"), most).at_most(
                "spread",
                high - low,
                SPREAD[0],
            );
        }
        largest.push(of_case);
    }
    let counts = numberings.iter().map(|(_, record)| Ok(converged(record)?.last().copied()));
    let counts = counts.collect::<Result<Option<Vec<f64>>, BoxedError>>()?.unwrap_or_default();
    let spread = counts.iter().map(|count| (count - counts[0]).abs()).fold(0.0, f64::max);
    let level = run.pick(3, 5);
    run.figure(
        "circle",
        "The solution on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.",
        solution(level)?,
    );
    Ok(found
        .list("most cycles of each element", largest, "cycles")
        .at_most("largest difference between numberings", spread, SPREAD[1])
        .because(
            "V-cycles to 1e-8 of the first defect; coarsest level by conjugate gradients to two digits. In double \
             precision as in the paper, and in mixed precision.",
        )
        .expecting(claim.paper))
}

pub(super) fn blood_cycles(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let (each, records) = (run.each::<fem::Settings, 3>(claim)?, run.records::<3>(claim)?);
    let (mut found, mut all) = (Found::new(), Vec::new());
    for (one, record) in each.iter().zip(&records).take(2) {
        let (name, [low, high]) = of_levels(one, record)?;
        all.extend([low, high]);
        found = found.shows(name, ([low, high], "cycles")).at_most("spread", high - low, SPREAD[0]);
    }
    let few = records[2].last("converged")?;
    Ok(found
        .shows("cycles", range(all))
        .headline("cycles")
        .holds("no convergence with CIRCLE's smoothing", few == 0.0)
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
