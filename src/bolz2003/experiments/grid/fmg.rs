//! §4.2: full multigrid, one pass down to the error of the discretisation.

use crate::bolz2003::grid::geometry::{Grid, Sides};
use crate::bolz2003::grid::hierarchy::{GridHierarchy, HierarchyOptions};
use crate::bolz2003::grid::twin::GridTwin;
use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::solver::{Cycle, Hierarchy, Multigrid, Real, Start};
use crate::stream::Machine;
use crate::timing::rig::range;

use super::finest_residual::{in_double, in_order, in_pairs};
use super::grid_problem::{DIRICHLET, NEUMANN, poisson};

const CLAIM: Claim = Claim {
    id: "bolz2003/fmg",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§4.2",
    statement: "Full multigrid is a variation of the V-cycle: a single pass leaves no more than about \
                the error of the discretisation, which falls by 4 when h halves.",
    paper: "O(n); second order in h",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/full-multigrid",
    section: "§4.2",
    title: "Full multigrid against solutions that are known",
    claims: &[CLAIM],
    run,
};

/// Nodes of a side, each with twice the cells of the one before. 17² is the coarsest grid, where
/// nothing is left but the error of the discretisation.
const QUICK: &[usize] = &[33, 65, 129, 257];
const FULL: &[usize] = &[33, 65, 129, 257, 513, 1025];
/// The factor by which the error falls, and how far from it it may be.
const FALLS: f64 = 4.0;
const TOLERANCE: f64 = 0.1;
/// A pass may leave so many times the error of the discretisation.
const ONE_PASS: f64 = 1.5;

/// A solution u(x, y) = f(x) f(y) on the unit square that keeps the condition on all sides.
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
        // w exp x with w = x² (1 - x)², whose slope is zero at both ends
        f: |x| {
            let w = x * x * (1.0 - x) * (1.0 - x);
            let first = 2.0 * x - 6.0 * x * x + 4.0 * x * x * x;
            let second = 2.0 - 12.0 * x + 12.0 * x * x;
            [w * x.exp(), (second + 2.0 * first + w) * x.exp()]
        },
    },
];

/// How the levels are kept on the GPU.
const STORED: &str = "stencils stored";
const CONSTANT: &str = "in constants";

/// Errors of a problem on one size, in the norm of L² relative to the solution's.
pub struct Errors {
    cells: usize,
    /// What the discretisation leaves: many cycles in double precision.
    discretisation: f64,
    /// One pass in double precision.
    twin: f64,
    /// One pass in single precision, on the CPU: as it is, and with the residual on the finest grid in
    /// double.
    single: [f64; 2],
    /// One pass in double precision, but for the residual on the finest grid: in single, added up in the
    /// order of the program's text and in pairs.
    residual: [f64; 2],
    /// One pass on the GPU: stencils stored, and in constants.
    gpu: [f64; 2],
}

impl Manufactured {
    fn errors(&self, machine: &Machine, n: usize) -> Result<Errors, BoxedError> {
        let grid = Grid::new(n, n, self.sides)?;
        let options = HierarchyOptions::default();
        let b = self.right_side(&grid);
        let rounded: Vec<f32> = b.iter().map(|&b| b as f32).collect();
        let double = GridTwin::<f64>::new(poisson(grid), &options);
        let mut u = one_pass(&double, &b)?;
        let twin = self.error(&grid, &u);
        let mut multigrid = Multigrid::new(&double, Cycle::default())?;
        for _ in 0..8 {
            multigrid.cycle(Start::Given, &b, &mut u)?;
        }
        let discretisation = self.error(&grid, &u);
        let double = double.with_finest_residual(in_order);
        let order = self.error(&grid, &one_pass(&double, &b)?);
        let double = double.with_finest_residual(in_pairs);
        let pairs = self.error(&grid, &one_pass(&double, &b)?);
        let single = GridTwin::<f32>::new(poisson(grid), &options);
        let all_single = self.error(&grid, &one_pass(&single, &rounded)?);
        let single = single.with_finest_residual(in_double);
        let but_one = self.error(&grid, &one_pass(&single, &rounded)?);
        let on_gpu = |gpu: GridHierarchy| -> Result<f64, BoxedError> {
            let u = one_pass(&gpu, &gpu.grid().upload(&rounded)?)?;
            Ok(self.error(&grid, &gpu.grid().download(&u)?))
        };
        Ok(Errors {
            cells: n - 1,
            discretisation,
            twin,
            single: [all_single, but_one],
            residual: [order, pairs],
            gpu: [
                on_gpu(GridHierarchy::stored(machine, &poisson(grid), options)?)?,
                on_gpu(GridHierarchy::constant(machine, grid, 0.0, options)?)?,
            ],
        })
    }

    /// h² g times each node's share of a cell; zero where no node is computed.
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
            // The sum of the samples is zero but for O(h²); there is a solution if it is zero.
            grid.balance(&mut b);
        }
        b
    }

    /// ‖u − exact‖ / ‖exact‖; with Neumann sides but for a constant.
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
        let shift = match self.sides.none_known() {
            true => integral(&|at| u[at].to_f64() - exact(at)),
            false => 0.0,
        };
        let difference = integral(&|at| (u[at].to_f64() - exact(at) - shift).powi(2));
        (difference / integral(&|at| exact(at).powi(2))).sqrt()
    }
}

/// One pass of full multigrid.
fn one_pass<H: Hierarchy>(hierarchy: &H, b: &H::Vector) -> Result<H::Vector, H::Error> {
    let mut u = hierarchy.zeros(0)?;
    Multigrid::new(hierarchy, Cycle::default())?.full(1, b, &mut u)?;
    Ok(u)
}

/// The errors of each problem, by the size of the grid.
type All = Vec<(&'static str, Vec<Errors>)>;

/// Measures and judges on grids with so many nodes a side, each with twice the cells of the one before.
pub fn check(machine: &Machine, sizes: &[usize]) -> Result<(Finding, All), BoxedError> {
    let mut all = Vec::new();
    for problem in &PROBLEMS {
        let errors = sizes.iter().map(|&n| problem.errors(machine, n));
        all.push((problem.name, errors.collect::<Result<Vec<_>, _>>()?));
    }
    let judged = || {
        all.iter()
            .map(|(name, errors)| (name, Judgement::of(errors)))
    };
    let measured: Vec<String> = judged().map(|(name, judged)| judged.short(name)).collect();
    let why: Vec<String> = judged().map(|(name, judged)| judged.long(name)).collect();
    let holds = judged().all(|(_, judged)| judged.holds());
    let finding = CLAIM.judge(holds, measured.join("; "), why.join(" "));
    Ok((finding, all))
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let usual = if options.quick { QUICK } else { FULL };
    let (finding, all) = check(machine, &options.given.grids(usual))?;
    Ok(vec![finding.with_figure(
        "bolz2003/fmg.png",
        "Error of one pass of full multigrid against a known solution. The line for double precision \
         falls by 4 from size to size; the GPU leaves it where the rounding of the finest grid's residual \
         is as large as what is left of it, with stored stencils sooner than with differences.",
        draw(&all)?,
    )])
}

/// How the errors of a problem fall.
struct Judgement<'a> {
    /// The ratios of errors in double precision, smallest and largest.
    twin: (f64, f64),
    /// How many times the error of the discretisation one pass leaves at most.
    one_pass: f64,
    /// For each way to keep the stencils, how it falls.
    gpu: [Fall; 2],
    /// Sizes left out at the end, where rounding shows.
    left_out: &'a [Errors],
}

impl Errors {
    /// Whether single precision leaves the error as it is if the finest grid's residual alone is in double.
    fn residual_alone_ends_it(&self) -> bool {
        (self.single[1] / self.twin - 1.0).abs() <= TOLERANCE
    }

    /// What rounding does on this size.
    fn of_rounding(&self) -> String {
        let over_double = |error: f64| error / self.twin;
        let [single, without] = self.single.map(over_double);
        let [order, pairs] = self.residual.map(over_double);
        format!(
            " At {}² the GPU's error is {:.2} times that in double precision, the CPU's in single \
             {single:.2} times, with the residual on the finest grid in double {without:.2} times. That \
             residual alone in single leaves {order:.2} times the error if it is added up in the text's \
             order, {pairs:.2} times if in pairs.",
            self.cells + 1,
            over_double(self.gpu[0]),
        )
    }
}

/// How errors fall until single precision ends it.
struct Fall {
    /// Ratios before the end.
    ratios: Vec<f64>,
    /// The last size, in nodes of a side, at which the error is the twin's to a tenth.
    last: usize,
    /// Whether sizes follow at which it is not.
    ends: bool,
}

impl<'a> Judgement<'a> {
    fn of(errors: &'a [Errors]) -> Self {
        let ratios = |error: &dyn Fn(&Errors) -> f64| {
            let pairs = errors.windows(2);
            let ratios = pairs.map(|pair| error(&pair[0]) / error(&pair[1]));
            ratios.collect::<Vec<_>>()
        };
        let fall = |variant: usize| {
            let sound = |e: &&Errors| (e.gpu[variant] / e.twin - 1.0).abs() <= TOLERANCE;
            let sizes = errors.iter().take_while(sound).count();
            let mut ratios = ratios(&|e| e.gpu[variant]);
            ratios.truncate(sizes.saturating_sub(1));
            Fall {
                ratios,
                last: sizes.checked_sub(1).map_or(0, |k| errors[k].cells + 1),
                ends: sizes < errors.len(),
            }
        };
        let passes = errors.iter().map(|e| e.twin / e.discretisation);
        Self {
            twin: range(ratios(&|e| e.twin)),
            one_pass: worst(passes),
            left_out: &errors[errors.partition_point(|e| e.cells < fall(0).last)..],
            gpu: [fall(0), fall(1)],
        }
    }

    /// Three sizes at least must be free of rounding, or nothing is seen to fall.
    fn holds(&self) -> bool {
        let near = |ratio: f64| (ratio / FALLS - 1.0).abs() <= TOLERANCE;
        let falls = |fall: &Fall| fall.ratios.len() >= 2 && fall.ratios.iter().copied().all(near);
        near(self.twin.0)
            && near(self.twin.1)
            && self.one_pass <= ONE_PASS
            && self.gpu.iter().all(falls)
    }

    fn short(&self, name: &str) -> String {
        let fall = &self.gpu[0];
        let (low, high) = range(fall.ratios.iter().copied());
        let end = if fall.ends { ", not beyond" } else { "" };
        format!(
            "{name}: falls by {low:.2} to {high:.2} up to {}²{end}",
            fall.last
        )
    }

    fn long(&self, name: &str) -> String {
        let end = |fall: &Fall| match fall.ends {
            true => format!("up to {}²", fall.last),
            false => format!("up to {}², the largest here", fall.last),
        };
        let mut left_out: String = self.left_out.iter().map(Errors::of_rounding).collect();
        if !self.left_out.is_empty() {
            left_out += match self.left_out.iter().all(Errors::residual_alone_ends_it) {
                true => {
                    " So it is the rounding of that residual that ends it, and the order in which nine \
                     products are added decides how soon."
                }
                false => " What ends it is not isolated.",
            };
        }
        format!(
            "{name}: in double precision the error falls by {:.2} to {:.2} over all sizes, and one pass \
             leaves at most {:.2} times the error of the discretisation; single precision follows within \
             a tenth {} with {STORED}, {} with stencils {CONSTANT}, which are applied as differences.{left_out}",
            self.twin.0,
            self.twin.1,
            self.one_pass,
            end(&self.gpu[0]),
            end(&self.gpu[1]),
        )
    }
}

fn draw(all: &[(&str, Vec<Errors>)]) -> Result<Vec<u8>, BoxedError> {
    let mut series = Vec::new();
    for (name, errors) in all {
        let mut add = |what, style, error: fn(&Errors) -> f64| {
            let points = errors.iter().map(|e| ((e.cells + 1) as f64, error(e)));
            series.push(Series::new(format!("{name}, {what}"), style, points));
        };
        add(STORED, Style::LinePoints, |e| e.gpu[0]);
        add(CONSTANT, Style::LinePoints, |e| e.gpu[1]);
        add("double", Style::Line, |e| e.twin);
    }
    Ok(chart(&Chart {
        title: "One pass of full multigrid".into(),
        x: Axis::logarithmic("nodes of a side"),
        y: Axis::logarithmic("relative error (L²)"),
        series,
        marks: Vec::new(),
    })?)
}
