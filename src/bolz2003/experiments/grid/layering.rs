//! §4.2: four quadrants in four channels, and the border of duplicates.

use crate::bolz2003::grid::check::border::{Border, every_kernel, poison_ring, poisoned};
use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::hierarchy::{Coarsest, GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::{BorderSync, ChannelUse, LayeredGrid, Layering};
use crate::bolz2003::grid::layout_picture::layout_picture;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::solver::{Hierarchy, Start};
use crate::stream::{Machine, Stream};

use super::grid_problem::{KINDS, variable};

const CLAIM: Claim = Claim {
    id: "bolz2003/layering",
    class: Class::Exact,
    variant: Variant::Paper,
    judged_on: JudgedOn::Count,
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
    border: Border,
    /// Rings that were left poisoned on purpose: all of them must be found to be wrong.
    control: Border,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = if options.quick { QUICK } else { FULL };
    let mut tally = Tally::default();
    for &(columns, rows) in sizes {
        for (_, sides) in KINDS {
            for layout in [ChannelUse::Layered, ChannelUse::Scalar] {
                for sync in [BorderSync::Fused, BorderSync::Copy] {
                    let options = HierarchyOptions {
                        layout,
                        sync,
                        ..HierarchyOptions::paper_2003()
                    };
                    let grid = Grid::new(columns, rows, sides)?;
                    tally.check(machine, grid, options)?;
                }
            }
        }
    }
    let of_the_paper = Layering {
        grid: Grid::new(257, 257, KINDS[1].1)?,
        layout: ChannelUse::Layered,
    };
    let (width, height) = of_the_paper.size();
    let measured = format!(
        "257² in {}×{} and a ring; {} of {} grids come back unchanged; {} of {} duplicates in step",
        width - 2,
        height - 2,
        tally.round_trips - tally.changed,
        tally.round_trips,
        tally.border.values - tally.border.wrong,
        tally.border.values,
    );
    let why = format!(
        "Compared bit for bit after {} runs of kernels into targets full of NaN: layering, product, \
         residual, Jacobi, first sweep, projection, interpolation, correction, composed stencils, the \
         coarsest level's inverse and whole cycles; Dirichlet, Neumann and mixed sides, four channels \
         and one, borders fused and copied. A ring left as NaN is found: {} of {} values. The paper \
         leaves the cut open: here quadrant p holds node t + pN/2 in texel t, so that even nodes lie \
         on even texels of every channel and the coarser grid on every other one; the middle column \
         and row are in both halves and computed twice, alike to the bit.",
        tally.targets, tally.control.wrong, tally.control.values,
    );
    let holds = tally.changed == 0
        && tally.border.wrong == 0
        && tally.control.wrong == tally.control.values
        && (width, height) == (131, 131);
    let finding = CLAIM.judge(holds, measured, why);
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
        every_kernel(&gpu, |_, grid, target| self.look_at(grid, target))?;
        for level in 0..gpu.levels() {
            for entry in gpu.level(level).stored().into_iter().flatten() {
                self.look_at(gpu.level(level).grid(), entry)?;
            }
        }
        if grid.nodes() < 1000 {
            let options = HierarchyOptions {
                coarsest: Coarsest::Inverse,
                coarsest_nodes: 30,
                ..options
            };
            let gpu = GridHierarchy::stored(machine, &variable(grid), options)?;
            let coarsest = gpu.level(gpu.levels() - 1).grid();
            let b = coarsest.upload(&coarsest.grid().random(4))?;
            let mut u = poisoned(coarsest)?;
            gpu.solve_coarsest(Start::Zero, &b, &mut u)?;
            self.look_at(coarsest, &u)?;
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
        let bits = |nodes: Vec<f32>| nodes.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        self.round_trips += 1;
        self.changed += usize::from(bits(grid.download(&v)?) != bits(nodes));
        // The check must find a ring that was not brought in step.
        poison_ring(grid, &v)?;
        self.control += Border::of(grid, &v)?;
        Ok(())
    }

    fn look_at(&mut self, grid: &LayeredGrid, v: &Stream) -> Result<(), BoxedError> {
        self.targets += 1;
        self.border += Border::of(grid, v)?;
        Ok(())
    }
}
