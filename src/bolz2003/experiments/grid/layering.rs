//! §4.2: four quadrants in four channels, and the border of duplicates.

use crate::bolz2003::grid::geometry::Grid;
use crate::bolz2003::grid::layering::{ChannelUse, Layering};
use crate::bolz2003::grid::layout_picture::layout_picture;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::stream::Machine;

use super::duplicates::Tally;
use super::grid_problem::KINDS;

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

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = if options.quick { QUICK } else { FULL };
    let mut tally = Tally::default();
    for &(columns, rows) in sizes {
        for (_, sides) in KINDS {
            tally.check_all(machine, Grid::new(columns, rows, sides)?)?;
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
    let holds = tally.holds() && (width, height) == (131, 131);
    let finding = CLAIM.judge(holds, measured, why);
    let picture = layout_picture().map_err(|error| error.to_string())?;
    Ok(vec![finding.with_figure(
        "bolz2003/layering.png",
        "A grid of 9×9 nodes and the texture it is kept in: the four quadrants become the four channels \
         of a texel, the pale ring holds duplicates. Framed nodes make up the next coarser grid.",
        picture,
    )])
}
