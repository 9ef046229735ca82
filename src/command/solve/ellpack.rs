//! Solving with matrices in ELLPACK (geveler2011).

use std::path::{Path, PathBuf};
use std::rc::Rc;

use fragstream::geveler2011::multigrid::{Discretisation, Passes, Precision, Settings, device};
use fragstream::geveler2011::products::{
    Arithmetic, EllpackLayout, EllpackProduct, EllpackStorage, Entries, RowFormat,
};
use fragstream::io::matrix_market::read_matrix;
use fragstream::solver::multigrid::Cycle;
use fragstream::solver::{
    Criteria, Csr, Operator, TextureDiagonal, TextureSpace, conjugate_gradients,
};
use fragstream::stream::{Format, Layout, Machine};

use super::super::failure::Failure;
use super::solution::{Clock, Observer, Solved};
use super::system::System;

/// Rows of this format, each entry in one texel.
fn packed(rows: RowFormat) -> EllpackLayout {
    let entries = Entries::Packed;
    EllpackLayout { rows, entries }
}

/// Solves by conjugate gradients, in single precision.
pub fn conjugate(
    machine: &Machine,
    system: &System,
    rows: RowFormat,
    preconditioned: bool,
    criteria: &Criteria,
    observer: &mut Observer<'_>,
) -> Result<Solved, Failure> {
    let mut clock = Clock::start(machine);
    let space = TextureSpace::new(machine, Layout::square(system.a.rows(), Format::R32F)?)?;
    let storage = Rc::new(EllpackStorage::new(machine, &system.a, packed(rows))?);
    let matrix = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
    let narrow = |values: &[f64]| values.iter().map(|&v| v as f32).collect::<Vec<_>>();
    let diagonal = space.vector(&narrow(&system.a.diagonal()))?;
    let divide = TextureDiagonal::new(&space, &diagonal)?;
    let (b, mut x) = (space.vector(&narrow(&system.b))?, space.zeros()?);
    clock.seconds.upload = clock.lap();
    let preconditioner = preconditioned.then_some(&divide as &dyn Operator<TextureSpace>);
    let outcome = conjugate_gradients(
        &space,
        &matrix,
        preconditioner,
        &b,
        &mut x,
        criteria,
        |progress| observer(progress.iteration, progress.residual, progress.tolerance),
    )?;
    clock.seconds.compute = clock.lap();
    let x = x.read()?.into_iter().map(f64::from).collect();
    clock.seconds.read_back = clock.lap();
    Ok(Solved {
        x,
        outcome,
        storage: format!("rows of {} at most", storage.row_length()),
        seconds: clock.seconds,
    })
}

/// How a hierarchy relaxes.
pub struct Relaxation {
    /// The part of the way that a sweep goes.
    pub omega: f64,
    /// Sweeps before and after the coarser level.
    pub steps: [usize; 2],
}

/// Solves by multigrid over the levels that prolongations lead to, in mixed precision.
pub fn multigrid(
    machine: &Machine,
    system: &System,
    rows: RowFormat,
    prolongations: Vec<Csr<f64>>,
    relaxation: &Relaxation,
    criteria: &Criteria,
) -> Result<Solved, Failure> {
    let mut clock = Clock::start(machine);
    let (norm, levels) = (system.norm_of_b(), prolongations.len() + 1);
    let [before, after] = relaxation.steps;
    let settings = Settings {
        omega: relaxation.omega,
        cycle: Cycle::v(before, after),
        // From zero the first defect is b.
        reduction: if norm > 0.0 {
            criteria.tolerance(norm) / norm
        } else {
            1.0
        },
        max_cycles: criteria.max_iterations,
        layout: packed(rows),
        passes: Passes::Fused,
        ..Settings::paper_circle()
    };
    let levels_of = Discretisation::galerkin(system.a.clone(), prolongations, system.b.clone())?;
    clock.seconds.pack = clock.lap();
    let (x, outcome) = device::solve(machine, &levels_of, &settings, Precision::Mixed)?;
    clock.seconds.compute = clock.lap();
    Ok(Solved {
        x,
        outcome,
        storage: format!("{levels} levels"),
        seconds: clock.seconds,
    })
}

/// Reads prolongations, each from the next coarser level to the one before: the first leads to the
/// matrix, which has so many rows.
pub fn read_prolongations(
    paths: &[PathBuf],
    matrix: &Path,
    rows: usize,
) -> Result<Vec<Csr<f64>>, Failure> {
    let mut finer = (format!("{} has {rows} rows", matrix.display()), rows);
    let mut prolongations = Vec::new();
    for path in paths {
        let file = read_matrix(path)?;
        let (rows, columns) = (file.rows as usize, file.columns as usize);
        let (what, expected) = finer;
        if rows != expected {
            return Err(Failure::in_file(
                path,
                format_args!(
                    "the prolongation has {rows} rows, but {what}; give prolongations from the finest \
                     level on, the coarsest last"
                ),
            ));
        }
        if columns == 0 || columns >= rows {
            return Err(Failure::in_file(
                path,
                format_args!(
                    "the prolongation is {rows} x {columns}; a coarser level has fewer unknowns, but one \
                     at least"
                ),
            ));
        }
        let entries = file.entries.into_iter();
        let entries = entries.map(|(i, j, value)| (i as usize, j as usize, value));
        prolongations.push(Csr::from_triplets(rows, columns, entries)?);
        finer = (format!("{} has {columns} columns", path.display()), columns);
    }
    Ok(prolongations)
}
