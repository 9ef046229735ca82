//! §4.2: layering. After every kernel a vector's ring must hold, bit for bit, the values that it duplicates, and zero
//! where there is no node.

use crate::base::error::BoxedError;
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use crate::experiment::{Record, Study, Takes};
use crate::solver::{Cycle, Hierarchy, Multigrid, Start};
use crate::stream::{Machine, Stream, StreamError};

use super::problems::{KINDS, NEUMANN, PERIODIC, variable};
use super::works::Settings;

/// Counts the values in the ring of a vector, and those that differ from their originals.
fn border(grid: &LayeredGrid, v: &Stream) -> Result<[usize; 2], StreamError> {
    let image = v.read()?;
    // Reading nodes back uses no texel of the ring.
    let expected = grid.layering.image(&grid.download(v)?);
    let ring = ring(grid);
    let differs =
        |&&at: &&usize| image[at].to_bits() != expected[at].to_bits() && image[at] != expected[at];
    Ok([ring.len(), ring.iter().filter(differs).count()])
}

/// Indices of the ring's values in the image of a vector.
fn ring(grid: &LayeredGrid) -> Vec<usize> {
    let (width, height) = grid.layering.size();
    let (width, height) = (width as usize, height as usize);
    let channels = grid.layering.format().channels();
    let outside = |texel: usize| {
        let (x, y) = (texel % width, texel / width);
        x == 0 || y == 0 || x == width - 1 || y == height - 1
    };
    (0..width * height * channels).filter(|at| outside(at / channels)).collect()
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
const SIZES: [(usize, usize); 8] =
    [(3, 3), (5, 3), (5, 5), (33, 9), (17, 25), (13, 21), (257, 257), (513, 129)];
const PERIODIC_SIZES: [(usize, usize); 2] = [(13, 21), (33, 9)];

/// Every target of every kernel, on grids of several sizes and with all kinds of sides.
pub static BORDERS: Study = Study::measuring(
    "bolz2003/borders",
    "Duplicates on the borders of all targets of all kernels: four channels and one, computed and copied borders",
    Takes::some::<Settings>("sizes periodic"),
    &[
        ("wrong", "", "duplicates that differ from their originals"),
        ("duplicates", "", "duplicates"),
        ("changed", "", "grids changed by layering and un-layering"),
        ("poisoned", "", "values poisoned on purpose"),
        ("found", "", "poisoned values found"),
        ("texels", "", "texels of the paper's grid of 257² nodes, without the ring"),
    ],
    |experiment, place| {
        let Settings { sizes, periodic, .. } = experiment.typed()?;
        let (all, kinds) = match periodic {
            true => (&PERIODIC_SIZES[..], &PERIODIC[..]),
            false => (&SIZES[..], &KINDS[..]),
        };
        let all = all.iter().take(sizes);
        let grids =
            all.flat_map(|&(n, m)| kinds.iter().map(move |&(_, sides)| Grid::new(n, m, sides)));
        let mut record = borders(place.machine, &grids.collect::<Result<Vec<_>, _>>()?)?;
        let of_the_paper =
            Layering { grid: Grid::new(257, 257, NEUMANN)?, layout: ChannelUse::Layered };
        let (width, height) = of_the_paper.size();
        record.text("texels", format!("{}×{}", width - 2, height - 2));
        Ok(record)
    },
);

/// Compares the targets on these grids and on their coarser ones.
fn borders(machine: &Machine, grids: &[Grid]) -> Result<Record, BoxedError> {
    // Values in rings and wrong ones; the same of rings that are poisoned on purpose.
    let [mut all, mut control] = [[0, 0]; 2];
    let mut changed = 0;
    let add = |sum: &mut [usize; 2], grid: &LayeredGrid, v: &Stream| {
        let [values, wrong] = border(grid, v)?;
        *sum = [sum[0] + values, sum[1] + wrong];
        Ok::<_, BoxedError>(())
    };
    let bits = |nodes: Vec<f32>| nodes.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    for (grid, layout, sync) in grids.iter().flat_map(variants) {
        let options = HierarchyOptions { layout, sync, ..HierarchyOptions::default() };
        let gpu = GridHierarchy::stored(machine, &variable(*grid), options)?;
        let (finest, nodes) = (gpu.grid(), grid.random(1));
        let plain = finest.plain("nodes")?;
        plain.write(&nodes)?;
        let v = poisoned(finest)?;
        finest.layer(&plain, &v)?;
        add(&mut all, finest, &v)?;
        changed += u32::from(bits(finest.download(&v)?) != bits(nodes));
        poison_ring(finest, &v)?;
        add(&mut control, finest, &v)?;
        if gpu.levels() > 1 {
            every_kernel(&gpu, |_, grid, target| add(&mut all, grid, target))?;
        }
        for level in (0..gpu.levels()).map(|level| gpu.level(level)) {
            for entry in level.stored().into_iter().flatten() {
                add(&mut all, level.grid(), entry)?;
            }
        }
    }
    let mut record = Record::new();
    for (name, count) in
        [("duplicates", all[0]), ("wrong", all[1]), ("poisoned", control[0]), ("found", control[1])]
    {
        record.one(name, count as f64);
    }
    record.one("changed", f64::from(changed));
    Ok(record)
}

/// A grid with every use of channels and every way to keep borders up to date.
fn variants(grid: &Grid) -> [(&Grid, ChannelUse, BorderSync); 4] {
    let layouts = [ChannelUse::Layered, ChannelUse::Scalar];
    let syncs = [BorderSync::Fused, BorderSync::Copy];
    [0, 1, 2, 3].map(|k| (grid, layouts[k / 2], syncs[k % 2]))
}
