//! §4.2: numbers of cycles, independent of the level and of the numbering.

use crate::base::error::BoxedError;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::geveler2011::solves::fem::{self, FEM};
use crate::geveler2011::{Element, Numbering, Precision, Setup, Space, device, host, picture};
use crate::stream::Machine;

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

/// Cycles on the CPU.
pub static CPU_CYCLES: Study = Study::measuring(
    "geveler2011/cpu-cycles",
    "Cycles of a solve in f64 on the CPU",
    Takes::of(&FEM, "paper", "mesh element levels numbering smoother omega pre post rtol maxiter"),
    &[("cycles", "", "of the solve")],
    |experiment, _| {
        let (one, mut record): (fem::Settings, _) = (experiment.typed()?, Record::new());
        let (_, outcome) = host::solve(&one.assembled()?.system, &one.solver())?;
        record.one("cycles", outcome.iterations as f64);
        Ok(record)
    },
);

/// A precision and its name; pairs of floats for double precision on a driver without it.
pub(super) fn available(machine: &Machine, precision: Precision) -> (&'static str, Precision) {
    match precision {
        Precision::Native if machine.description().double_precision => ("double", precision),
        Precision::Native | Precision::Pairs => ("pairs", Precision::Pairs),
        Precision::Mixed => ("mixed", precision),
        Precision::Single => ("single", precision),
    }
}

/// The solution on CIRCLE with Q2. Level 5 is fine enough to hide the coarse mesh.
pub static SOLUTION: Study = Study::measuring(
    "geveler2011/solution",
    "The solution on CIRCLE with Q2, in colours",
    Takes::of(&FEM, "paper", "levels"),
    &[("unknowns", "", "of the level")],
    |experiment, _| {
        let fem::Settings { levels, .. } = experiment.typed()?;
        let (meshes, element) = (Setup::Circle.meshes(levels.into()), Element::Q2);
        let system = Setup::Circle.discretise(&meshes, element, Numbering::TwoLevel)?;
        let (u, _) = host::solve(&system, &Setup::Circle.settings())?;
        let space = Space::new(&meshes[meshes.len() - 1], element);
        let note = format!("{} unknowns", space.dimension());
        let mut record = Record::new();
        record.one("unknowns", space.dimension() as f64);
        record.picture(
            "circle",
            "The solution on CIRCLE: −Δu = 1, u = 0 outside and 1 on the circle.",
            picture(&space, &u, format!("CIRCLE, Q2, level {levels}"), note)?,
        );
        Ok(record)
    },
);
