//! §4.2: the coarser grids' stencils, composed on the GPU, against the product of sparse matrices.

use crate::bolz2003::grid::check::composition::Composition;
use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::Machine;

use super::grid_problem::{DIRICHLET, NEUMANN, size, variable};

const CLAIM: Claim = Claim {
    id: "bolz2003/galerkin",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "The coarser grid's stencils A_2h = P A_h S are composed on the GPU, boundaries \
                included, where an access beyond the grid or the stencil S counts as zero.",
    paper: "A_2h = P A_h S",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/composition-of-stencils",
    section: "§4.2",
    title: "The coarser stencils against the product of sparse matrices",
    claims: &[CLAIM],
    run,
};

/// The largest difference allowed, relative to the largest entry of the row.
const TOLERANCE: f64 = 1e-5;

/// A node inside, on a side, in a corner.
const PLACES: [&str; 3] = ["inside", "on a side", "in a corner"];

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { [129, 33] } else { [513, 129] };
    let [columns, rows] = options.given.size.unwrap_or(usual);
    let small = all_sides().map(|sides| Grid::new(33, 17, sides));
    let large = [DIRICHLET, NEUMANN].map(|sides| Grid::new(columns, rows, sides));
    let mut found = Composition::default();
    for grid in small.chain(large) {
        let grid = grid?;
        let gpu = GridHierarchy::stored(machine, &variable(grid), HierarchyOptions::paper_2003())?;
        found.compare(&gpu, variable::<f64>(grid).matrix()?)?;
    }
    let largest = found.largest();
    let measured = format!("within {largest:.1e} of the product in double precision");
    let why = format!(
        "{} entries at every node of every level below 33×17 with each of the 16 combinations of \
         Dirichlet and Neumann sides, and below {}; a and σ vary from node to node. Relative to the \
         row's largest entry, since with σ = 0 and elsewhere entries cancel. The explicit product \
         has {} entries beyond the nine of a stencil.",
        found.entries,
        size(columns, rows),
        found.beyond,
    );
    let holds = largest <= TOLERANCE && found.beyond == 0 && found.outside == 0;
    let finding = CLAIM.judge(holds, measured, why);
    Ok(vec![finding.with_figure(
        "bolz2003/galerkin.png",
        "Largest difference of the stencils composed on the GPU from P A S as a product of sparse \
         matrices in double precision, by level and by where the node lies. The bound is 1e-5.",
        draw(&found)?,
    )])
}

/// Every combination of conditions on the four sides.
fn all_sides() -> impl Iterator<Item = Sides> {
    (0..16).map(|bits| {
        Sides::new([0, 1, 2, 3].map(|side| match bits >> side & 1 {
            0 => Boundary::Dirichlet,
            _ => Boundary::Neumann,
        }))
    })
}

fn draw(found: &Composition) -> Result<Vec<u8>, BoxedError> {
    let series = PLACES.iter().enumerate().map(|(kind, name)| {
        let levels = found.by_level.iter().enumerate();
        let points = levels.map(|(level, largest)| ((level + 1) as f64, largest[kind]));
        Series::new(*name, Style::LinePoints, points)
    });
    let last = found.by_level.len() as f64;
    let bound = Series::new("bound", Style::Line, [(1.0, TOLERANCE), (last, TOLERANCE)]);
    Ok(chart(&Chart {
        title: "Coarser stencils: the GPU against double precision".into(),
        x: Axis::linear("level (0 is the finest)").with_range(0.5, last + 0.5),
        y: Axis::logarithmic("largest difference, relative to the row"),
        series: series.chain([bound]).collect(),
        marks: Vec::new(),
    })?)
}
