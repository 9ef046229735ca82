//! Checks of borders (Bolz et al. 2003, section 4.2): after every kernel a vector's ring must hold, bit for bit,
//! the values that it duplicates, and zero where there is no node.

use std::ops::AddAssign;

use crate::bolz2003::grid::hierarchy::GridHierarchy;
use crate::bolz2003::grid::layering::LayeredGrid;
use crate::claim::BoxedError;
use crate::solver::{Cycle, Hierarchy, Multigrid, Start};
use crate::stream::{Stream, StreamError};

/// Number of values in rings, and number of wrong ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Border {
    /// Values compared.
    pub values: usize,
    /// Values that differ from their originals.
    pub wrong: usize,
}

impl AddAssign for Border {
    fn add_assign(&mut self, other: Self) {
        self.values += other.values;
        self.wrong += other.wrong;
    }
}

impl Border {
    /// Compares the ring of a vector with its originals.
    pub fn of(grid: &LayeredGrid, v: &Stream) -> Result<Self, StreamError> {
        let image = v.read()?;
        // Reading nodes back uses no texel of the ring.
        let expected = grid.layering().image(&grid.download(v)?);
        let ring = ring(grid);
        let differs = |&&at: &&usize| {
            image[at].to_bits() != expected[at].to_bits() && image[at] != expected[at]
        };
        Ok(Self {
            values: ring.len(),
            wrong: ring.iter().filter(differs).count(),
        })
    }
}

/// Indices of the ring's values in the image of a vector.
fn ring(grid: &LayeredGrid) -> Vec<usize> {
    let (width, height) = grid.layering().size();
    let (width, height) = (width as usize, height as usize);
    let channels = grid.layering().format().channels();
    let outside = |texel: usize| {
        let (x, y) = (texel % width, texel / width);
        x == 0 || y == 0 || x == width - 1 || y == height - 1
    };
    (0..width * height * channels)
        .filter(|at| outside(at / channels))
        .collect()
}

/// Fills the ring of a vector with NaN.
pub fn poison_ring(grid: &LayeredGrid, v: &Stream) -> Result<(), StreamError> {
    let mut image = v.read()?;
    for at in ring(grid) {
        image[at] = f32::NAN;
    }
    v.write(&image)
}

/// Creates a vector full of NaN.
pub fn poisoned(grid: &LayeredGrid) -> Result<Stream, StreamError> {
    let stream = grid.zeros("poisoned")?;
    stream.fill([f32::NAN; 4]);
    Ok(stream)
}

/// Runs every kernel once between the two finest levels, and a cycle V(2,1). Passes each target to the caller, with the
/// kernel's name; a target is full of NaN before, unless it holds u. The inputs are the random vectors
/// [`Grid::random`](crate::bolz2003::grid::geometry::Grid::random) of seed 2 (u), 3 (b) and 4 (e, of
/// the coarser grid).
pub fn every_kernel(
    gpu: &GridHierarchy,
    mut look: impl FnMut(&str, &LayeredGrid, &Stream) -> Result<(), BoxedError>,
) -> Result<(), BoxedError> {
    let level = gpu.level(0);
    let (fine, coarse) = (level.grid(), gpu.level(1).grid());
    let u = fine.upload(&fine.grid().random(2))?;
    let b = fine.upload(&fine.grid().random(3))?;
    let e = coarse.upload(&coarse.grid().random(4))?;
    let mut v = poisoned(fine)?;
    let mut show = |kernel: &str, v: &Stream| {
        look(kernel, fine, v)?;
        v.fill([f32::NAN; 4]);
        Ok::<_, BoxedError>(())
    };
    level.multiply(&u, &v)?;
    show("product", &v)?;
    level.residual(&b, &u, &v)?;
    show("residual", &v)?;
    level.jacobi(2.0 / 3.0, &b, &u, &v)?;
    show("Jacobi", &v)?;
    gpu.relax(0, 1, Start::Zero, &b, &mut v)?;
    show("first sweep", &v)?;
    gpu.interpolate(0, &e, &mut v)?;
    show("interpolation", &v)?;
    let mut v = fine.upload(&fine.grid().random(2))?;
    gpu.correct(0, &e, &mut v)?;
    show("correction", &v)?;
    let mut v = fine.upload(&fine.grid().random(2))?;
    Multigrid::new(gpu, Cycle::v(2, 1))?.cycle(Start::Given, &b, &mut v)?;
    show("cycle", &v)?;

    let mut c = poisoned(coarse)?;
    gpu.project(0, &u, &mut c)?;
    look("projection", coarse, &c)?;
    c.fill([f32::NAN; 4]);
    gpu.project_residual(0, &b, &u, &mut c)?;
    look("projected residual", coarse, &c)
}
