//! §4.2: layering. After every kernel a vector's ring must hold, bit for bit, the values that it duplicates, and zero
//! where there is no node.

use std::ops::AddAssign;

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use crate::claim::{BoxedError, Checked, Claim, Found, Run};
use crate::solver::{Cycle, Hierarchy, Multigrid, Start};
use crate::stream::{Machine, Stream, StreamError};

use super::problems::{KINDS, NEUMANN, variable};

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

/// Columns and rows of the grids whose borders are compared: the smallest, odd quadrants, long ones.
const QUICK: &[(usize, usize)] = &[(5, 5), (33, 9), (17, 25)];
const FULL: &[(usize, usize)] = &[(5, 5), (33, 9), (17, 25), (13, 21), (257, 257), (513, 129)];

/// Borders compared after every kernel.
#[derive(Default)]
pub struct Tally {
    /// Grids layered and un-layered again, and how many of these changed.
    round_trips: usize,
    changed: usize,
    /// Targets of kernels.
    targets: usize,
    /// Their duplicates.
    border: Border,
    /// Rings poisoned on purpose: all of them must be found wrong.
    control: Border,
}

impl Tally {
    /// Compares every target of every kernel on a grid and on its coarser ones: with four channels and one, with fused
    /// and copied borders.
    pub fn check(&mut self, machine: &Machine, grid: Grid) -> Result<(), BoxedError> {
        for layout in [ChannelUse::Layered, ChannelUse::Scalar] {
            for sync in [BorderSync::Fused, BorderSync::Copy] {
                let paper = HierarchyOptions::paper_2003();
                let options = HierarchyOptions {
                    layout,
                    sync,
                    ..paper
                };
                self.check_with(machine, grid, options)?;
            }
        }
        Ok(())
    }

    fn check_with(
        &mut self,
        machine: &Machine,
        grid: Grid,
        options: HierarchyOptions,
    ) -> Result<(), BoxedError> {
        let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
        self.check_layering(gpu.grid())?;
        every_kernel(&gpu, |_, grid, target| self.compare(grid, target))?;
        for level in 0..gpu.levels() {
            for entry in gpu.level(level).stored().into_iter().flatten() {
                self.compare(gpu.level(level).grid(), entry)?;
            }
        }
        Ok(())
    }

    fn check_layering(&mut self, grid: &LayeredGrid) -> Result<(), BoxedError> {
        let nodes = grid.grid().random(1);
        let plain = grid.plain("nodes")?;
        plain.write(&nodes)?;
        let v = poisoned(grid)?;
        grid.layer(&plain, &v)?;
        self.compare(grid, &v)?;
        let bits = |nodes: Vec<f32>| nodes.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        self.round_trips += 1;
        self.changed += usize::from(bits(grid.download(&v)?) != bits(nodes));
        poison_ring(grid, &v)?;
        self.control += Border::of(grid, &v)?;
        Ok(())
    }

    fn compare(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        self.targets += 1;
        self.border += Border::of(grid, v)?;
        Ok(())
    }

    /// The result of all checks.
    pub fn found(&self) -> Found {
        let number = |count: usize| count as f64;
        Found::new()
            .equal("duplicates that differ", number(self.border.wrong), 0.0)
            .at_least("duplicates", number(self.border.values), 1.0)
            .shows("targets of kernels", number(self.targets))
            .equal(
                "grids changed by layering and un-layering",
                number(self.changed),
                0.0,
            )
            .shows("grids", number(self.round_trips))
            .equal(
                "poisoned values found",
                number(self.control.wrong),
                number(self.control.values),
            )
    }
}

/// `layering`
pub fn layering(run: &mut Run<'_>, _: &Claim) -> Checked {
    let mut tally = Tally::default();
    for &(columns, rows) in run.pick(QUICK, FULL) {
        for (_, sides) in KINDS {
            tally.check(run.machine, Grid::new(columns, rows, sides)?)?;
        }
    }
    let of_the_paper = Layering {
        grid: Grid::new(257, 257, NEUMANN)?,
        layout: ChannelUse::Layered,
    };
    let (width, height) = of_the_paper.size();
    let texels = format!("{}×{}", width - 2, height - 2);
    let found = tally
        .found()
        .is("texels of 257² nodes, without the ring", texels, "129×129");
    Ok(found.because(
        "The paper leaves the cut open. Here quadrant p holds node t + pN/2 in texel t; the middle column and row are \
         in both halves and are computed twice, bit for bit the same.",
    ))
}
