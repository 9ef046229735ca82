//! Preconditioned Conjugate Gradient Method: the iterates compared with double precision.

use crate::base::error::BoxedError;
use crate::batty2003::scenes::liquid::{self, LIQUID};
use crate::batty2003::{GpuSolver, System};
use crate::claim::{difference, worst};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::solver::{
    Criteria, DiagonalPreconditioner, HostSpace, LengthMismatch, Real, conjugate_gradients,
};

use super::dam;

/// Number of iterates compared.
const COUNT: usize = 20;

/// The first iterates of a solve.
pub static ITERATES: Study = Study::measuring(
    "batty2003/iterates",
    "The first twenty iterates of conjugate gradients, compared with double precision",
    Takes::of(&LIQUID, "paper", "scene size dt layout index offsets grouping scalars stop_at"),
    &[
        ("difference", "", "largest relative difference of an iterate on the GPU"),
        ("single", "", "the same in single precision on the CPU"),
        ("unknowns", "", "cells of the liquid"),
    ],
    iterated,
);

fn iterated(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: liquid::Settings = experiment.typed()?;
    let system = dam::first_system(settings.read()?)?;
    let expected = iterates(&system)?;
    let mut solver = GpuSolver::new(place.machine, system.size, settings.on_gpu())?;
    solver.set_up(&system, &vec![0.0; system.cells()])?;
    place.machine.take_ledger();
    let iterate = |count| {
        solver.start_from_zero();
        solver.iterate(&Criteria::exactly(count))?;
        solver.read_back()
    };
    let found = (0..=COUNT).map(iterate).collect::<Result<Vec<_>, _>>()?;
    let in_single = iterates(&system.map(|entry| entry as f32))?;
    let mut record = Record::new();
    record.ledger("", &place.machine.take_ledger());
    record.one("difference", off(&found, &expected));
    record.one("single", off(&in_single, &expected));
    record.one("unknowns", system.unknowns() as f64);
    Ok(record)
}

/// Largest relative difference of an iterate after the start.
fn off<T: Copy + Into<f64>>(found: &[Vec<T>], expected: &[Vec<f64>]) -> f64 {
    let pairs = found.iter().zip(expected).skip(1);
    worst(pairs.map(|(found, expected)| difference(found, expected)))
}

/// The start, zero, and the first twenty iterates on the CPU.
pub fn iterates<T: Real>(system: &System<T>) -> Result<Vec<Vec<T>>, LengthMismatch> {
    let mut iterates = Vec::new();
    conjugate_gradients(
        &HostSpace::new(system.cells()),
        system,
        Some(&DiagonalPreconditioner::of_diagonal(&system.diagonal)),
        &system.right_side,
        &mut vec![T::ZERO; system.cells()],
        &Criteria::exactly(COUNT),
        |progress| iterates.push(progress.x.clone()),
    )?;
    Ok(iterates)
}
