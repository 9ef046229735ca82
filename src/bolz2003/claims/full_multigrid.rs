//! §4.2: full multigrid with known solutions.

use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::reference::Reference;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, Table, worst};
use crate::picture::plot::Axis;
use crate::solver::{Cycle, Hierarchy, Multigrid, Real, Start};
use crate::stream::Machine;
use crate::timing::rig::range;

use super::grids::spanned;
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

/// Errors on one size, in the L² norm relative to the solution's.
struct Errors {
    /// After many cycles in double precision: the discretisation error.
    discretisation: f64,
    /// After one pass in double precision.
    double: f64,
    /// After one pass on the GPU: stencils stored, and in constants.
    gpu: [f64; 2],
}

impl Manufactured {
    fn errors(&self, machine: &Machine, n: usize) -> Result<Errors, BoxedError> {
        let grid = Grid::new(n, n, self.sides)?;
        // The coarsest grid has 17² nodes: there one pass begins with the solution.
        let options = HierarchyOptions {
            coarsest_nodes: 300,
            ..HierarchyOptions::default()
        };
        let b = self.right_side(&grid);
        let rounded: Vec<f32> = b.iter().map(|&b| b as f32).collect();
        let cpu = Reference::<f64>::new(poisson(grid), &options);
        let mut u = one_pass(&cpu, &b)?;
        let double = self.error(&grid, &u);
        let mut multigrid = Multigrid::new(&cpu, Cycle::default())?;
        for _ in 0..8 {
            multigrid.cycle(Start::Given, &b, &mut u)?;
        }
        let on_gpu = |gpu: GridHierarchy| -> Result<f64, BoxedError> {
            let u = one_pass(&gpu, &gpu.grid().upload(&rounded)?)?;
            Ok(self.error(&grid, &gpu.grid().download(&u)?))
        };
        Ok(Errors {
            discretisation: self.error(&grid, &u),
            double,
            gpu: [
                on_gpu(GridHierarchy::stored(machine, &poisson(grid), options)?)?,
                on_gpu(GridHierarchy::constant(machine, grid, 0.0, options)?)?,
            ],
        })
    }

    /// h² g times each node's share of a cell; zero at prescribed nodes.
    fn right_side(&self, grid: &Grid) -> Vec<f64> {
        let h = 1.0 / grid.cells[0] as f64;
        let mut b = vec![0.0; grid.nodes()];
        for (place, b) in b.iter_mut().enumerate() {
            let [i, j] = grid.node(place);
            if grid.is_computed(i, j) {
                let [x, y] = [i, j].map(|n| (self.f)(n as f64 * h));
                let g = -(x[1] * y[0] + x[0] * y[1]);
                *b = h * h * g * grid.share(place);
            }
        }
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
        let is_free = self.sides.none_known();
        let shift = if is_free {
            integral(&|at| u[at].to_f64() - exact(at))
        } else {
            0.0
        };
        let difference = integral(&|at| (u[at].to_f64() - exact(at) - shift).powi(2));
        (difference / integral(&|at| exact(at).powi(2))).sqrt()
    }
}

/// Runs one pass of full multigrid.
fn one_pass<H: Hierarchy>(hierarchy: &H, b: &H::Vector) -> Result<H::Vector, H::Error> {
    let mut u = hierarchy.zeros(0)?;
    Multigrid::new(hierarchy, Cycle::default())?.full(1, b, &mut u)?;
    Ok(u)
}

/// `fmg`
pub fn full_multigrid(run: &mut Run<'_>, _: &Claim) -> Checked {
    const WAYS: [&str; 2] = ["stencils stored", "in constants"];
    // Each size has twice the cells of the one before. On 17², the coarsest, only the discretisation error is left.
    let sizes = run.sizes(&[33, 65, 129, 257], &[33, 65, 129, 257, 513, 1025]);
    let columns = ["sides", "n", WAYS[0], WAYS[1], "double precision"];
    let mut table = Table::new("", columns);
    let mut found = Found::new();
    for problem in &PROBLEMS {
        let errors = sizes.iter().map(|&n| problem.errors(run.machine, n));
        let errors: Vec<Errors> = errors.collect::<Result<_, _>>()?;
        let ratios = |of: &dyn Fn(&Errors) -> f64, sizes: usize| {
            let pairs = errors[..sizes].windows(2);
            let (low, high) = range(pairs.map(|pair| of(&pair[0]) / of(&pair[1])));
            spanned([low, high])
        };
        let name = problem.name;
        let passes = worst(errors.iter().map(|e| e.double / e.discretisation));
        let double = ratios(&|e| e.double, errors.len());
        found = found
            .between(
                format!("{name}: fall of the error in double precision"),
                double,
                FALLS,
            )
            .at_most(
                "error of one pass, relative to the discretisation error",
                passes,
                ONE_PASS,
            );
        for (way, what) in WAYS.into_iter().enumerate() {
            let follows = |e: &&Errors| (e.gpu[way] / e.double - 1.0).abs() <= FOLLOWS;
            let count = errors.iter().take_while(follows).count();
            found = found
                .at_least(
                    format!("sizes that follow double precision, {what}"),
                    count as f64,
                    SIZES,
                )
                .between(
                    "fall of the error at these sizes",
                    ratios(&|e| e.gpu[way], count),
                    FALLS,
                );
        }
        for (&n, e) in sizes.iter().zip(&errors) {
            table.push([
                name.into(),
                n.into(),
                e.gpu[0].into(),
                e.gpu[1].into(),
                e.double.into(),
            ]);
        }
    }
    let axes = [
        Axis::logarithmic("nodes per side"),
        Axis::logarithmic("relative error (L²)"),
    ];
    let caption = "Error of one pass of full multigrid for known solutions: it falls by 4 from size to size, in single \
                   precision until the rounding error of the finest grid's residual is as large.";
    run.chart(
        "fmg",
        caption,
        &table.chart("One pass of full multigrid", axes, &columns[2..]),
    )?;
    Ok(found.because(
        "The rounding error of the finest grid's residual ends the fall in single precision.",
    ))
}
