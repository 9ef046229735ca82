//! §4.1, §4.2: the errors of single precision, of pairs of floats and of mixed precision.

use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::experiment::{Record, Study, Takes};
use crate::stream::Machine;
use crate::timing::cost::all;

use crate::geveler2011::solves::fem::{self, Assembled, FEM};

use super::convergence::OF_A_SOLVE;
use crate::geveler2011::{Discretisation, Space, device, host};

/// Largest relative difference of an error from the reference's, and of a number of cycles.
const OFF: [f64; 2] = [0.01, 1.0];

/// The system, and u at its unknowns: the formula of the boundary values.
fn system(settings: &fem::Settings) -> Result<(Discretisation, Vec<f64>), BoxedError> {
    let Assembled { meshes, system, .. } = settings.assembled()?;
    let known = settings.dirichlet.as_ref().ok_or("--dirichlet: give the solution")?;
    let points = Space::new(&meshes[meshes.len() - 1], settings.element).points();
    Ok((system, points.into_iter().map(|at| known.0[0].formula.at(at)).collect()))
}

/// The root mean square error at all unknowns, and the number of cycles; without a machine, in f64 on the CPU.
fn solve(
    machine: Option<&Machine>,
    (levels, exact): &(Discretisation, Vec<f64>),
    settings: &fem::Settings,
) -> Result<(f64, usize), BoxedError> {
    let (cycles, u) = match machine {
        Some(machine) => {
            let solved = device::solve(machine, levels, &settings.solver(), settings.precision)?;
            (solved.cycles(), solved.u)
        }
        None => {
            let (u, outcome) = host::solve(levels, &settings.solver())?;
            (outcome.iterations, u)
        }
    };
    let squares = levels.by_place(&u).into_iter().zip(exact);
    let sum: f64 = squares.map(|(u, exact)| (u - exact).powi(2)).sum();
    Ok(((sum / u.len() as f64).sqrt(), cycles))
}

/// Errors of a known solution.
pub static ERROR: Study = Study::measuring(
    "geveler2011/error",
    "Root mean square error of a solve whose solution --dirichlet gives, next to f64 on the CPU",
    Takes::of(&FEM, "paper", OF_A_SOLVE),
    &[
        ("error", "", "root mean square at all unknowns"),
        ("cycles", "", "of the solve"),
        ("error.coarser", "", "one level coarser"),
        ("error.cpu", "", "in f64 on the CPU"),
        ("cycles.cpu", "", "in f64 on the CPU"),
    ],
    |experiment, place| {
        let one: fem::Settings = experiment.typed()?;
        let (coarser, finest) = (system(&one.on_level(one.levels.max(2) - 1))?, system(&one)?);
        let mut record = Record::new();
        for (part, machine, system) in [
            ("", Some(place.machine), &finest),
            (".coarser", Some(place.machine), &coarser),
            (".cpu", None, &finest),
        ] {
            let (error, cycles) = solve(machine, system, &one)?;
            record.one(format!("error{part}"), error);
            record.one(format!("cycles{part}"), cycles as f64);
        }
        Ok(record)
    },
);

pub(super) fn precisions(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let [mixed, pairs, native, single] = run.several(claim)?;
    let [mixed, pairs, single] = all([mixed, pairs, single].map(|one| run.record(&one)))?;
    let (reference, cycles) = (mixed.last("error.cpu")?, mixed.last("cycles.cpu")?);
    let mut found = Found::new()
        .shows("error of f64 on the CPU", reference)
        .shows("cycles of f64 on the CPU", cycles);
    let mut kinds = vec![("mixed", mixed), ("pairs", pairs)];
    if run.machine.description().double_precision {
        kinds.push(("native", run.record(&native)?));
    }
    for (name, record) in kinds {
        let (error, count) = (record.last("error")?, record.last("cycles")?);
        let off = (error / reference - 1.0).abs();
        found = found
            .at_most(format!("{name}: relative difference of the error"), off, OFF[0])
            .headline("relative difference")
            .at_most(format!("{name}: difference of the cycles"), (count - cycles).abs(), OFF[1]);
    }
    let [coarser, single] = all(["error.coarser", "error"].map(|name| single.last(name)))?;
    Ok(found
        .shows("error of single precision", single)
        .at_least("the same relative to one level coarser", single / coarser, 1.0)
        .because(
            "u = sin(2x + 0.3) eʸ, Q2 on CIRCLE. Pairs of floats hold 48 bits, and mixed precision computes its \
             defects in them.",
        )
        .expecting(claim.paper))
}
