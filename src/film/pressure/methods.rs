//! The five methods, each on the grid of its paper's layout.

use std::cell::RefCell;

use crate::base::error::BoxedError;
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::layering::ChannelUse;
use crate::bolz2003::grid::{Boundary, Grid, Sides};
use crate::goodnight2003::{
    self as goodnight, Boundaries, Condition, Metric, Problem, Settings, Solver,
};
use crate::solver::{
    Criteria, Cycle, LinearSystem, Multigrid, Operator, Start, TextureSpace, Workspace,
};
use crate::stream::{Machine, Stream, StreamError};

/// Cells per side.
pub const CELLS: usize = 128;

/// Called with the number of units done and the pressure; returns false to end the run.
pub type Each<'a> = &'a mut dyn FnMut(usize, &Stream) -> bool;

/// Runs at most this number of units for a right-hand side.
type Solve = fn(&Machine, &[f32], usize, Each) -> Result<(), BoxedError>;

/// A method.
pub struct Method {
    /// Name.
    pub name: &'static str,
    /// Name of its unit.
    pub unit: &'static str,
    /// Programs and layout, in a sentence.
    pub about: &'static str,
    /// Texel of the first node.
    pub origin: [usize; 2],
    /// Maximum number of units.
    pub most: usize,
    pub(super) run: Solve,
}

/// All methods.
pub static METHODS: &[Method] = &[
    Method {
        name: "Jacobi",
        unit: "Sweep",
        about: "The mean of the four neighbours and the source, as in many fluids in browsers. Here a sweep has two \
                passes: one for the inside and one for the edge.",
        origin: [1, 1],
        most: 40_000,
        run: jacobi,
    },
    Method {
        name: "CG",
        unit: "Iteration",
        about: "Conjugate gradients without a preconditioner. Two sums per iteration go to the CPU.",
        origin: [1, 1],
        most: 500,
        run: |machine, right, most, each| gradients(machine, right, most, None, each),
    },
    Method {
        name: "PCG",
        unit: "Iteration",
        about: "Conjugate gradients with a V(2,2)-cycle of damped Jacobi as preconditioner. Three sums go to the CPU.",
        origin: [1, 1],
        most: 40,
        run: |machine, right, most, each| {
            gradients(machine, right, most, Some(Cycle::v(2, 2)), each)
        },
    },
    Method {
        name: "V-cycle",
        unit: "Cycle",
        about: "V(4,2)-cycles of damped Jacobi, as in Bolz et al. (2003). The CPU reads nothing.",
        origin: [1, 1],
        most: 40,
        run: cycles,
    },
    Method {
        name: "Red–black",
        unit: "Cycle",
        about: "V(2,2)-cycles of red–black Gauss–Seidel, as in Goodnight et al. (2003): solution, residual and source \
                in one texel of four channels. The CPU reads nothing.",
        origin: [0, 0],
        most: 40,
        run: red_black,
    },
];

/// The pressure at all nodes, from a texture whose first node is in this texel.
pub fn after([column, row]: [usize; 2], pressure: &Stream) -> Result<Vec<f32>, StreamError> {
    let (width, channels) = (pressure.width() as usize, pressure.format().channels());
    let all = pressure.read()?;
    Ok(nodes().map(|[x, y]| all[channels * ((y + row) * width + x + column)]).collect())
}

/// All levels, one node per texel.
fn hierarchy(machine: &Machine) -> Result<GridHierarchy, BoxedError> {
    let grid = Grid::new(CELLS + 1, CELLS + 1, Sides::all(Boundary::Neumann))?;
    let options = HierarchyOptions { layout: ChannelUse::Scalar, ..HierarchyOptions::fused() };
    Ok(GridHierarchy::constant(machine, grid, 0.0, options)?)
}

fn jacobi(machine: &Machine, right: &[f32], most: usize, each: Each) -> Result<(), BoxedError> {
    let hierarchy = hierarchy(machine)?;
    let (level, b) = (hierarchy.level(0), hierarchy.grid().upload(right)?);
    let [mut u, mut next] = [level.grid().zeros("pressure")?, level.grid().zeros("pressure")?];
    let mut units = 0;
    while each(units, &u) && units < most {
        level.jacobi(1.0, &b, &u, &next)?;
        std::mem::swap(&mut u, &mut next);
        units += 1;
    }
    Ok(())
}

fn cycles(machine: &Machine, right: &[f32], most: usize, each: Each) -> Result<(), BoxedError> {
    let hierarchy = hierarchy(machine)?;
    let (b, mut u) = (hierarchy.grid().upload(right)?, hierarchy.grid().zeros("pressure")?);
    let mut multigrid = Multigrid::new(&hierarchy, Cycle::default())?;
    let mut units = 0;
    while each(units, &u) && units < most {
        multigrid.cycle(if units == 0 { Start::Zero } else { Start::Given }, &b, &mut u)?;
        units += 1;
    }
    Ok(())
}

/// M⁻¹: a cycle from zero.
struct ByCycle<'a>(RefCell<Multigrid<GridHierarchy, &'a GridHierarchy>>);

impl Operator<TextureSpace> for ByCycle<'_> {
    fn apply(&self, _: &TextureSpace, r: &Stream, z: &mut Stream) -> Result<(), StreamError> {
        self.0.borrow_mut().cycle(Start::Zero, r, z)
    }
}

fn gradients(
    machine: &Machine,
    right: &[f32],
    most: usize,
    shape: Option<Cycle>,
    each: Each,
) -> Result<(), BoxedError> {
    let hierarchy = hierarchy(machine)?;
    let level = hierarchy.level(0);
    let multigrid = shape.map(|shape| Multigrid::new(&hierarchy, shape)).transpose()?;
    let preconditioner = multigrid.map(|multigrid| ByCycle(RefCell::new(multigrid)));
    let preconditioner = preconditioner.as_ref().map(|one| one as &dyn Operator<TextureSpace>);
    let (b, mut x) = (level.grid().upload(right)?, level.grid().zeros("pressure")?);
    let system = LinearSystem { space: level.space(), operator: level, preconditioner, b: &b };
    let mut workspace = Workspace::new(level.space())?;
    let criteria = Criteria { rtol: 1e-5, max_iterations: most, ..Criteria::default() };
    if most == 0 {
        each(0, &x);
        return Ok(());
    }
    workspace.recursion(&system, &mut x, &criteria, |progress| {
        each(progress.iteration, progress.x);
    })?;
    Ok(())
}

fn red_black(machine: &Machine, right: &[f32], most: usize, each: Each) -> Result<(), BoxedError> {
    let grid = goodnight::Grid::unit(CELLS as u32 + 1, CELLS as u32 + 1)?;
    let sides = Boundaries::all(&grid, Condition::slope(0.0));
    let problem = Problem::new(grid, Metric::cartesian(), sides, vec![0.0; right.len()])?;
    let mut solver = Solver::new(machine, &problem, &Settings::robust())?;
    solver.set_source(&right.iter().map(|f| -f).collect::<Vec<_>>())?;
    let mut units = 0;
    while each(units, solver.state().0) && units < most {
        solver.cycle()?;
        units += 1;
    }
    Ok(())
}

/// Columns and rows of all nodes, in order.
pub(super) fn nodes() -> impl Iterator<Item = [usize; 2]> {
    (0..=CELLS).flat_map(|row| (0..=CELLS).map(move |column| [column, row]))
}
