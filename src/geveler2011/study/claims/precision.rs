//! §4.1, §4.2: the errors of single precision, of pairs of floats and of mixed precision.

use crate::base::error::BoxedError;
use crate::experiment::{Record, Study, Takes};
use crate::stream::Machine;

use crate::geveler2011::solves::fem::{self, Assembled, FEM};

use super::convergence::{OF_A_SOLVE, available};
use crate::geveler2011::{Discretisation, Space, device, host};

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
            let (_, precision) = available(machine, settings.precision);
            let solved = device::solve(machine, levels, &settings.solver(), precision)?;
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
