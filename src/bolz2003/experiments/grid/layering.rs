//! §4.2: four quadrants in four channels, and the border of duplicates.

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, LayeredGrid, Layout};
use crate::bolz2003::grid::layout_picture::layout_picture;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, Options};
use crate::solver::{Cycle, Hierarchy, Multigrid, Start};
use crate::stream::{Machine, Stream};

use super::grid_problem::{KINDS, download, upload, variable};

const CLAIM: Claim = Claim {
    id: "bolz2003/layering",
    class: Class::Exact,
    section: "§4.2",
    statement: "The domain is cut into four quadrants, layered into the channels of a texture of half \
                the size such that odd and even nodes stay together; a border of one texel holds \
                duplicates of neighbours, or zeros, and is kept in step on the GPU.",
    paper: "257² in 129² and a ring; duplicates in step",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/texture-layout",
    section: "§4.2",
    title: "Four quadrants in four channels, and their border",
    claims: &[CLAIM],
    run,
};

/// Columns and rows of nodes: the smallest, odd quadrants, long ones.
const QUICK: &[(usize, usize)] = &[(5, 5), (33, 9), (17, 25)];
const FULL: &[(usize, usize)] = &[(5, 5), (33, 9), (17, 25), (13, 21), (257, 257), (513, 129)];

/// What was looked at, and what was found wrong.
#[derive(Debug, Default)]
struct Tally {
    /// Grids layered and un-layered.
    round_trips: usize,
    /// Of these, not the same afterwards.
    changed: usize,
    /// Targets that were looked at after a kernel.
    targets: usize,
    /// Values in rings.
    duplicates: usize,
    /// Of these, not bit for bit what they duplicate.
    wrong: usize,
    /// Values in rings that were left poisoned on purpose and found to be wrong, and how many.
    control: (usize, usize),
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = if options.quick { QUICK } else { FULL };
    let mut tally = Tally::default();
    for &(columns, rows) in sizes {
        for (_, sides) in KINDS {
            for layout in [Layout::Layered, Layout::Scalar] {
                for sync in [BorderSync::Fused, BorderSync::Copy] {
                    let options = HierarchyOptions {
                        layout,
                        sync,
                        ..HierarchyOptions::paper()
                    };
                    let grid = Grid::new(columns, rows, sides)?;
                    tally.check(machine, grid, options)?;
                }
            }
        }
    }
    let hierarchy = GridHierarchy::stored(
        machine,
        &variable(Grid::new(257, 257, KINDS[1].1)?),
        HierarchyOptions::paper(),
    )?;
    let (width, height) = hierarchy.grid().layering().size();
    let measured = format!(
        "257² in {}×{} and a ring; {} of {} grids come back unchanged; {} of {} duplicates in step",
        width - 2,
        height - 2,
        tally.round_trips - tally.changed,
        tally.round_trips,
        tally.duplicates - tally.wrong,
        tally.duplicates,
    );
    let why = format!(
        "Compared bit for bit after {} runs of kernels into targets full of NaN: layering, product, \
         residual, Jacobi, first sweep, projection, interpolation, correction, composed stencils, the \
         coarsest level's inverse and whole cycles; Dirichlet, Neumann and mixed sides, four channels \
         and one, borders fused and copied. A ring left as NaN is found: {} of {} values. The paper \
         leaves the cut open: here quadrant p holds node t + pN/2 in texel t, so that even nodes lie \
         on even texels of every channel and the coarser grid on every other one; the middle column \
         and row are in both halves and computed twice, alike to the bit.",
        tally.targets, tally.control.0, tally.control.1,
    );
    let holds = tally.changed == 0
        && tally.wrong == 0
        && tally.control.0 == tally.control.1
        && (width, height) == (131, 131);
    let finding = match holds {
        true => CLAIM.reproduced(measured).because(why),
        false => CLAIM.not_reproduced(measured, why),
    };
    let picture = layout_picture().map_err(|error| error.to_string())?;
    Ok(vec![finding.with_figure(
        "bolz2003/layering.png",
        "A grid of 9×9 nodes and the texture it is kept in: the four quadrants become the four channels \
         of a texel, the pale ring holds duplicates. Framed nodes make up the next coarser grid.",
        picture,
    )])
}

impl Tally {
    fn check(
        &mut self,
        machine: &Machine,
        grid: Grid,
        options: HierarchyOptions,
    ) -> Result<(), BoxedError> {
        let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
        self.check_layering(gpu.grid())?;
        self.check_kernels(&gpu)?;
        for level in 0..gpu.levels() {
            for entry in gpu.level(level).stored().into_iter().flatten() {
                self.look_at(gpu.level(level).grid(), entry)?;
            }
        }
        let inverse = HierarchyOptions {
            coarsest: Coarsest::Inverse,
            coarsest_nodes: 30,
            ..options
        };
        if grid.nodes() < 1000 {
            let gpu = GridHierarchy::stored(machine, &variable(grid), inverse)?;
            self.check_coarsest(&gpu)?;
        }
        Ok(())
    }

    fn check_layering(&mut self, grid: &LayeredGrid) -> Result<(), BoxedError> {
        let nodes = grid.grid().random(1);
        let plain = grid.plain("nodes")?;
        plain.write(&nodes)?;
        let v = poisoned(grid)?;
        grid.layer(&plain, &v)?;
        self.look_at(grid, &v)?;
        let back = download(grid, &v)?;
        let same = back
            .iter()
            .zip(&nodes)
            .all(|(a, b)| a.to_bits() == b.to_bits());
        self.round_trips += 1;
        self.changed += usize::from(!same);
        self.check_control(grid, &v)
    }

    /// The check must find a ring that was not brought in step.
    fn check_control(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        let mut image = v.read()?;
        for at in ring(grid) {
            image[at] = f32::NAN;
        }
        v.write(&image)?;
        let (values, wrong) = compare(grid, v)?;
        self.control.0 += wrong;
        self.control.1 += values;
        Ok(())
    }

    fn check_kernels(&mut self, gpu: &GridHierarchy) -> Result<(), BoxedError> {
        let fine = gpu.level(0);
        let grid = fine.grid();
        let (u, b) = (
            upload(grid, &grid.grid().random(2))?,
            upload(grid, &grid.grid().random(3))?,
        );
        let mut v = poisoned(grid)?;
        fine.multiply(&u, &v)?;
        self.look_at_and_poison(grid, &v)?;
        fine.residual(&b, &u, &v)?;
        self.look_at_and_poison(grid, &v)?;
        fine.jacobi(2.0 / 3.0, &b, &u, &v)?;
        self.look_at_and_poison(grid, &v)?;
        gpu.relax(0, 1, Start::Zero, &b, &mut v)?;
        self.look_at_and_poison(grid, &v)?;

        let coarse = gpu.level(1).grid();
        let mut c = poisoned(coarse)?;
        gpu.project(0, &u, &mut c)?;
        self.look_at(coarse, &c)?;
        gpu.interpolate(0, &c, &mut v)?;
        self.look_at(grid, &v)?;
        gpu.correct(0, &c, &mut v)?;
        self.look_at(grid, &v)?;
        Multigrid::new(gpu, Cycle::v(2, 1))?.cycle(Start::Given, &b, &mut v)?;
        self.look_at(grid, &v)
    }

    fn check_coarsest(&mut self, gpu: &GridHierarchy) -> Result<(), BoxedError> {
        let grid = gpu.level(gpu.levels() - 1).grid();
        let b = upload(grid, &grid.grid().random(4))?;
        let mut u = poisoned(grid)?;
        gpu.solve_coarsest(Start::Zero, &b, &mut u)?;
        self.look_at(grid, &u)
    }

    fn look_at(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        let (values, wrong) = compare(grid, v)?;
        self.targets += 1;
        self.duplicates += values;
        self.wrong += wrong;
        Ok(())
    }

    fn look_at_and_poison(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        self.look_at(grid, v)?;
        v.fill([f32::NAN; 4]);
        Ok(())
    }
}

/// A vector whose every texel is NaN.
fn poisoned(grid: &LayeredGrid) -> Result<Stream, BoxedError> {
    let stream = grid.zeros("poisoned")?;
    stream.fill([f32::NAN; 4]);
    Ok(stream)
}

/// The places of the ring's values in the image of a vector.
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

/// How many values the ring of a vector has, and how many are not what they duplicate.
fn compare(grid: &LayeredGrid, v: &Stream) -> Result<(usize, usize), BoxedError> {
    let image = v.read()?;
    // Un-layering reads no texel of the ring.
    let expected = grid.layering().image(&download(grid, v)?);
    let ring = ring(grid);
    let differs =
        |&&at: &&usize| image[at].to_bits() != expected[at].to_bits() && image[at] != expected[at];
    Ok((ring.len(), ring.iter().filter(differs).count()))
}
