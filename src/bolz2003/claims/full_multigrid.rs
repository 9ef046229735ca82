//! §4.2: full multigrid with known solutions.

use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::reference::Reference;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Run, Table, worst};
use crate::picture::plot::Axis;
use crate::solver::{Cycle, Hierarchy, Multigrid, Real, Start};
use crate::stream::Machine;
use crate::timing::rig::range;

use super::problems::{DIRICHLET, NEUMANN, poisson};

/// Bounds of the factor by which errors fall when h is halved; 4 in theory.
const FALLS: [f64; 2] = [3.6, 4.4];
/// Largest error that one pass may leave, relative to the discretisation error.
const ONE_PASS: f64 = 1.5;
/// Single precision follows double precision while their errors differ by less than this share.
const FOLLOWS: f64 = 0.1;
/// Fewest sizes at which it has to follow, so that a fall can be seen.
const SIZES: f64 = 3.0;

/// A solution u(x, y) = f(x) f(y) on the unit square that satisfies the condition on all sides.
struct Manufactured {
    name: &'static str,
    sides: Sides,
    /// f and f''.
    f: fn(f64) -> [f64; 2],
}

const PROBLEMS: [Manufactured; 2] = [
    Manufactured {
        name: "Dirichlet",
        sides: DIRICHLET,
        // x (1 - x) exp x
        f: |x| [x * (1.0 - x) * x.exp(), -x * (x + 3.0) * x.exp()],
    },
    Manufactured {
        name: "Neumann",
        sides: NEUMANN,
        // w exp x with w = x² (1 - x)², whose derivative is zero at both ends
        f: |x| {
            let w = x * x * (1.0 - x) * (1.0 - x);
            let first = 2.0 * x - 6.0 * x * x + 4.0 * x * x * x;
            let second = 2.0 - 12.0 * x + 12.0 * x * x;
            [w * x.exp(), (second + 2.0 * first + w) * x.exp()]
        },
    },
];

/// Kinds of errors on one size, in the L² norm relative to the solution's: of one pass on the GPU, of one in double
/// precision, and of many cycles in double precision (the discretisation error).
const ERRORS: [&str; 4] = [
    "stencils stored",
    "in constants",
    "double precision",
    "limit",
];
const DOUBLE: usize = 2;
const LIMIT: usize = 3;

impl Manufactured {
    fn errors(&self, machine: &Machine, n: usize) -> Result<[f64; 4], BoxedError> {
        let grid = Grid::new(n, n, self.sides)?;
        // The coarsest grid has 17² nodes: there one pass begins with the solution.
        let options = HierarchyOptions {
            coarsest_nodes: 300,
            ..HierarchyOptions::fused()
        };
        let b = self.right_side(&grid);
        let rounded: Vec<f32> = b.iter().map(|&b| b as f32).collect();
        let cpu = Reference::<f64>::new(poisson(grid), &options);
        let mut u = one_pass(&cpu, &b)?;
        let double = self.error(&grid, &u);
        let mut multigrid = Multigrid::new(&cpu, Cycle::default())?;
        (0..8).try_for_each(|_| multigrid.cycle(Start::Given, &b, &mut u))?;
        let on_gpu = |gpu: GridHierarchy| -> Result<f64, BoxedError> {
            let u = one_pass(&gpu, &gpu.grid().upload(&rounded)?)?;
            Ok(self.error(&grid, &gpu.grid().download(&u)?))
        };
        let stored = GridHierarchy::stored(machine, &poisson(grid), options)?;
        let constant = GridHierarchy::constant(machine, grid, 0.0, options)?;
        let limit = self.error(&grid, &u);
        Ok([on_gpu(stored)?, on_gpu(constant)?, double, limit])
    }

    /// h² g times each node's share of a cell; zero at prescribed nodes.
    fn right_side(&self, grid: &Grid) -> Vec<f64> {
        let h = 1.0 / grid.cells[0] as f64;
        let mut b = grid.map(0.0, |i, j| {
            let [x, y] = [i, j].map(|n| (self.f)(n as f64 * h));
            -h * h * (x[1] * y[0] + x[0] * y[1]) * grid.share(grid.place(i, j))
        });
        if self.sides.none_known() {
            // The sum of the samples is zero up to O(h²); a solution exists only if it is exactly zero.
            grid.balance(&mut b);
        }
        b
    }

    /// ‖u − exact‖ / ‖exact‖; with Neumann sides, up to a constant.
    fn error<T: Real>(&self, grid: &Grid, u: &[T]) -> f64 {
        let h = 1.0 / grid.cells[0] as f64;
        let exact = |place: usize| {
            let [x, y] = grid.node(place).map(|n| (self.f)(n as f64 * h)[0]);
            x * y
        };
        let integral = |value: &dyn Fn(usize) -> f64| {
            let nodes = 0..grid.nodes();
            h * h * nodes.map(|at| grid.share(at) * value(at)).sum::<f64>()
        };
        let error = |at: usize| u[at].to_f64() - exact(at);
        let is_free = self.sides.none_known();
        let shift = if is_free { integral(&error) } else { 0.0 };
        let difference = integral(&|at| (error(at) - shift).powi(2));
        (difference / integral(&|at| exact(at).powi(2))).sqrt()
    }
}

/// Runs one pass of full multigrid.
fn one_pass<H: Hierarchy>(hierarchy: &H, b: &H::Vector) -> Result<H::Vector, H::Error> {
    let mut u = hierarchy.zeros(0)?;
    Multigrid::new(hierarchy, Cycle::default())?.full(1, b, &mut u)?;
    Ok(u)
}

/// Factors by which an error falls from size to size.
fn falls(errors: &[[f64; 4]], kind: usize) -> Interval {
    let (low, high) = range(errors.windows(2).map(|pair| pair[0][kind] / pair[1][kind]));
    [low, high].into()
}

pub(super) fn full_multigrid(run: &mut Run<'_>, _: &Claim) -> Checked {
    // Each size has twice the cells of the one before. On 17², the coarsest, only the discretisation error is left.
    let sizes = run.sizes(&[33, 65, 129, 257], &[33, 65, 129, 257, 513, 1025]);
    let mut table = Table::new("", ["sides", "n"].into_iter().chain(ERRORS));
    let mut found = Found::new();
    for problem in &PROBLEMS {
        let (errors, name) = (sizes.iter(), problem.name);
        let errors = errors.map(|&n| problem.errors(run.machine, n));
        let errors: Vec<[f64; 4]> = errors.collect::<Result<_, _>>()?;
        for (&n, errors) in sizes.iter().zip(&errors) {
            table.point(name, n, *errors);
        }
        let double = format!("{name}: fall of the error in double precision");
        let passes = "error of one pass, relative to the discretisation error";
        let pass = worst(errors.iter().map(|e| e[DOUBLE] / e[LIMIT]));
        found =
            (found.between(double, falls(&errors, DOUBLE), FALLS)).at_most(passes, pass, ONE_PASS);
        for (way, what) in ERRORS.into_iter().enumerate().take(DOUBLE) {
            let follows = |e: &&[f64; 4]| (e[way] / e[DOUBLE] - 1.0).abs() <= FOLLOWS;
            let count = errors.iter().take_while(follows).count();
            let name = format!("sizes that follow double precision, {what}");
            let fall = falls(&errors[..count], way);
            found = (found.at_least(name, count as f64, SIZES)).between(
                "fall of the error at these sizes",
                fall,
                FALLS,
            );
        }
    }
    let axes = [
        Axis::logarithmic("nodes per side"),
        Axis::logarithmic("relative error (L²)"),
    ];
    let caption = "Error of one pass of full multigrid for known solutions: it falls by 4 from size to size, in single \
                   precision until the rounding error of the finest grid's residual is as large.";
    let chart = table.chart("One pass of full multigrid", axes, &ERRORS[..LIMIT]);
    run.chart("fmg", caption, &chart)?;
    Ok(found.because(
        "The rounding error of the finest grid's residual ends the fall in single precision.",
    ))
}
