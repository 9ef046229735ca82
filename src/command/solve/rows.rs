//! Solving with the matrix as groups of rows (bolz2003, section 3).

use fragstream::bolz2003::sparse::matrix::pack_matrix;
use fragstream::bolz2003::sparse::packing::PackingOptions;
use fragstream::bolz2003::sparse::spmv::SparseMatrix;
use fragstream::solver::{Criteria, Operator, TextureDiagonal, TextureSpace, conjugate_gradients};
use fragstream::stream::{Format, Layout, Machine};

use super::super::failure::Failure;
use super::solution::{Clock, Observer, Solved};
use super::system::System;

/// Packs, uploads, solves by conjugate gradients and reads back.
pub fn solve(
    machine: &Machine,
    system: &System,
    options: &PackingOptions,
    preconditioned: bool,
    criteria: &Criteria,
    observer: &mut Observer<'_>,
) -> Result<Solved, Failure> {
    let mut clock = Clock::start(machine);
    let (packing, images) = pack_matrix::<f32>(&system.a, options)?;
    clock.seconds.pack = clock.lap();

    let size = (packing.size[0], packing.size[1]);
    let space = TextureSpace::new(machine, Layout::grid(size, Format::R32F))?;
    let matrix = SparseMatrix::upload(machine, &packing, &images, Format::R32F)?;
    let b: Vec<f32> = system.b.iter().map(|&value| value as f32).collect();
    let b = space.vector(&packing.scatter(&b))?;
    let mut x = space.zeros()?;
    let diagonal = TextureDiagonal::new(&space, &matrix.diagonal)?;
    clock.seconds.upload = clock.lap();

    let preconditioner: Option<&dyn Operator<TextureSpace>> = if preconditioned {
        Some(&diagonal)
    } else {
        None
    };
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
    let x = packing.gather(&x.read()?);
    let x = x.into_iter().map(f64::from).collect();
    clock.seconds.read_back = clock.lap();
    let [width, height] = options.rectangle;
    Ok(Solved {
        x,
        outcome,
        storage: format!("rectangles of {width}x{height}"),
        seconds: clock.seconds,
    })
}
