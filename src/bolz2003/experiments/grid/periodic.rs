//! §4.1: periodic boundary conditions, where indices are modulo N.

use std::f64::consts::{PI, TAU};

use crate::bolz2003::grid::geometry::{Boundary, Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::poisson::{
    Equation, Options as SolveOptions, PoissonSolver, RightSide, StencilStorage,
};
use crate::claim::{
    BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant, listed, worst,
};
use crate::parallel::collect;
use crate::solver::multigrid::default_criteria;
use crate::solver::{Criteria, Cycle};
use crate::stream::Machine;

use super::duplicates::Tally;
use super::grid_problem::poisson;
use super::vcycle;

const CLAIM: Claim = Claim {
    id: "bolz2003/periodic",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§4.1",
    statement: "With periodic boundary conditions indices are modulo N. Here: the border holds what lies \
                on the opposite side, waves are the product's eigenvectors but for rounding, V(4,2)-cycles \
                converge as on other grids, and the error of a solution falls by 4 when h halves.",
    paper: "0 ≡ N",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/periodic-grids",
    section: "§4.1",
    title: "Periodic grids",
    claims: &[CLAIM],
    run,
};

/// A period along both axes.
const TORUS: Sides = Sides::all(Boundary::Periodic);
/// The conditions with their names: along both axes, and along the rows between known values.
pub const PERIODIC: [(&str, Sides); 2] = [
    ("torus", TORUS),
    (
        "cylinder",
        Sides::new([
            Boundary::Periodic,
            Boundary::Periodic,
            Boundary::Dirichlet,
            Boundary::Dirichlet,
        ]),
    ),
];

/// Columns and rows on which borders are looked at and waves multiplied: odd quadrants, long ones.
const BORDERS: [(usize, usize); 2] = [(13, 21), (33, 9)];
/// Nodes of a side, of cycles and of solutions.
const QUICK: &[usize] = &[65, 129];
const FULL: &[usize] = &[65, 129, 257];
/// The unit of rounding of single precision.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;
/// What rounding alone may leave of A u = λ u, in units: u is rounded, which eight times its size
/// multiplies, and so is each of the at most nine sums, of which none is larger than that.
const ROUNDING: f64 = 8.0 * (1.0 + 9.0);
/// How far the order of the error may be from 2.
const ORDER: f64 = 0.1;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let sizes = if options.quick { QUICK } else { FULL };
    let mut borders = Tally::default();
    let mut waves = Vec::new();
    for (_, sides) in PERIODIC {
        for (columns, rows) in BORDERS {
            let grid = Grid::new(columns, rows, sides)?;
            borders.check_all(machine, grid)?;
            waves.extend(products(machine, grid)?);
        }
    }
    let (products, rounding) = (waves.len(), worst(waves));
    let cycles = vcycle::check(machine, &PERIODIC, sizes, vcycle::SWEEPS)?;
    let errors = sizes.iter().map(|&n| error_of_solution(machine, n));
    let errors: Vec<f64> = errors.collect::<Result<_, _>>()?;
    let pairs = errors.windows(2).map(|pair| (pair[0] / pair[1]).log2());
    let orders: Vec<f64> = pairs.collect();

    let is_second = |order: &f64| (order - 2.0).abs() <= ORDER;
    let holds = borders.holds()
        && rounding <= ROUNDING
        && cycles.holds
        && !orders.is_empty()
        && orders.iter().all(is_second);
    let measured = format!(
        "{} of {} duplicates in step; {}; order {}",
        borders.border.values - borders.border.wrong,
        borders.border.values,
        cycles.measured,
        listed(orders.iter().map(|order| format!("{order:.2}"))),
    );
    let why = format!(
        "After {} runs of kernels into targets full of NaN, four channels and one, borders fused and copied, \
         the ring holds what lies on the opposite side, bit for bit. A u is λu in {products} products with \
         waves within {rounding:.1} units of rounding; {ROUNDING:.0} are what rounding may leave. The error \
         of −∇²u = g, u = exp(sin 2πx) sin 2πy, on the torus is {:.1e} on {}² nodes. Cycles: {}",
        borders.targets,
        errors.first().unwrap_or(&f64::NAN),
        sizes.first().unwrap_or(&0),
        cycles.why,
    );
    Ok(vec![CLAIM.judge(holds, measured, why)])
}

/// How far products are from λ u for waves u along both axes, in units of rounding of the largest u: the
/// longest and the shortest waves, stencils stored and in constants.
fn products(machine: &Machine, grid: Grid) -> Result<Vec<f64>, BoxedError> {
    let options = HierarchyOptions::paper_2003();
    let hierarchies = [
        GridHierarchy::stored(machine, &poisson(grid), options)?,
        GridHierarchy::constant(machine, grid, 0.0, options)?,
    ];
    let halves = grid.cells.map(|n| n / 2);
    let mut found = Vec::new();
    for numbers in [[1, 0], [0, 1], [1, 2], [halves[0] - 1, halves[1] - 1]] {
        let waves = [0, 1].map(|axis| Wave::new(&grid, axis, numbers[axis]));
        let at = |place: usize| {
            let [i, j] = grid.node(place);
            waves[0].at(i) * waves[1].at(j)
        };
        let u: Vec<f64> = collect(grid.nodes(), at);
        let eigenvalue = waves[0].eigenvalue() + waves[1].eigenvalue();
        let nodes: Vec<f32> = u.iter().map(|&u| u as f32).collect();
        for gpu in &hierarchies {
            let level = gpu.level(0);
            let product = level.grid().zeros("product")?;
            level.multiply(&level.grid().upload(&nodes)?, &product)?;
            let product = level.grid().download(&product)?;
            // Known values are zero, and so is a wave there.
            let pairs = product.iter().zip(&u);
            let errors = pairs.map(|(&found, u)| f64::from(found) - eigenvalue * u);
            found.push(worst(errors.map(f64::abs)) / UNIT);
        }
    }
    Ok(found)
}

/// A wave along an axis that fulfils the conditions there: sin (number · index + phase).
struct Wave {
    number: f64,
    phase: f64,
}

impl Wave {
    /// So many waves round a period, or one half wave more between known values, which has to be there.
    fn new(grid: &Grid, axis: usize, waves: usize) -> Self {
        let cells = grid.cells[axis] as f64;
        match grid.is_periodic(axis) {
            true => Self {
                number: TAU * waves as f64 / cells,
                phase: 0.7,
            },
            false => Self {
                number: PI * (waves + 1) as f64 / cells,
                phase: 0.0,
            },
        }
    }

    fn at(&self, index: usize) -> f64 {
        (self.number * index as f64 + self.phase).sin()
    }

    /// Of the second difference along the axis, with the sign of −∇².
    fn eigenvalue(&self) -> f64 {
        2.0 - 2.0 * self.number.cos()
    }
}

/// The largest error of the solution of −∇²u = g on the torus with so many nodes a side, by the
/// paper's stencils and cycles, of which the solution is u = exp(sin 2πx) sin 2πy.
pub fn error_of_solution(machine: &Machine, nodes: usize) -> Result<f64, BoxedError> {
    let grid = Grid::new(nodes, nodes, TORUS)?;
    let spacing = 1.0 / grid.cells[0] as f64;
    let options = SolveOptions {
        hierarchy: HierarchyOptions::paper_2003(),
        stencils: StencilStorage::Streams,
        criteria: Criteria {
            rtol: 1e-8,
            ..default_criteria()
        },
        cycle: Cycle::default(),
        refine: Some(2),
        balance: true,
        ..SolveOptions::default()
    };
    let solver = PoissonSolver::new(machine, Equation::poisson(grid, spacing), options)?;
    let at = |place: usize| grid.node(place).map(|n| TAU * n as f64 * spacing);
    let u = |[x, y]: [f64; 2]| x.sin().exp() * y.sin();
    let g = |[x, y]: [f64; 2]| {
        let along = x.cos() * x.cos() - x.sin() - 1.0;
        (-TAU * TAU * along * u([x, y])) as f32
    };
    let g: Vec<f32> = collect(grid.nodes(), |place| g(at(place)));
    let solution = solver.solve(&RightSide::new(&g), |_, _| ())?;
    let errors = solution.u.iter().enumerate();
    let errors = errors.map(|(place, found)| (found - u(at(place))).abs());
    Ok(worst(errors))
}
