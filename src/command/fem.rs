//! `fragstream fem`: Poisson's equation on unstructured quadrilaterals by finite-element multigrid
//! (geveler2011).

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use fragstream::geveler2011::elements::counts::Counts;
use fragstream::geveler2011::elements::vtu::write_vtu;
use fragstream::geveler2011::elements::{Condition, Element, Numbering, Problem, Space};
use fragstream::geveler2011::mesh::{QuadMesh, blood, circle};
use fragstream::geveler2011::multigrid::{Discretisation, Precision, Settings, Smoother, device};
use fragstream::io::write_atomically;
use fragstream::solver::multigrid::Cycle;
use fragstream::solver::{Reason, true_residual};

use super::arguments::{finite, positive, sweeps};
use super::failure::{Failure, OUT_OF_RANGE};
use super::files::{check_targets, write_csv};
use super::session::Session;

/// Unknowns that main memory is asked to hold: about a kilobyte each while matrices are assembled.
const MOST_UNKNOWNS: usize = 1 << 22;

/// Solve -lap u = f on a mesh of quadrilaterals by multigrid, all of it sparse products in textures
/// (geveler2011).
///
/// `circle` is a rectangle round a circle: u is 0 outside and 1 on the circle, f = 1. `blood` is a
/// vessel with an aneurysm: u is 1 on its walls, f = 0. Every level divides each cell in four.
///
/// Defects are taken in pairs of floats, about 48 bits, cycles in single precision, unless
/// --precision says otherwise; the residual that is printed at the end is computed in double precision
/// on the CPU.
///
/// Ends with exit code 3 and a reason other than `converged`: `max-iterations`, `stagnated` (the
/// precision leads no closer), `diverged` (smooth more, or by less) or `not-finite`. The history is
/// written all the same, and so is u unless it diverged.
#[derive(Args)]
pub struct Arguments {
    /// The mesh
    mesh: Mesh,

    /// The finite element
    #[arg(long, value_enum, default_value_t = Element::Q1)]
    element: Element,

    /// Levels of refinement, the coarse mesh included
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u8).range(1..=12))]
    levels: u8,

    /// f
    #[arg(long, value_name = "NUMBER", value_parser = finite, allow_negative_numbers = true)]
    rhs: Option<f64>,

    /// u on a part of the boundary: `circle` has outer and circle, `blood` inner, outer, dome and
    /// ends
    #[arg(long, value_name = "NAME=NUMBER", value_parser = held, allow_negative_numbers = true)]
    dirichlet: Vec<(String, f64)>,

    /// The slope of u, outwards, on a part of the boundary
    #[arg(long, value_name = "NAME=NUMBER", value_parser = held, allow_negative_numbers = true)]
    neumann: Vec<(String, f64)>,

    /// How unknowns are numbered
    #[arg(long, value_enum, default_value_t = Numbering::TwoLevel)]
    numbering: Numbering,

    /// What smooths
    #[arg(long, value_enum, default_value_t = Smoother::Jacobi)]
    smoother: Smoother,

    /// The part of the way that a sweep goes [default: 0.7, blood 0.5, with spai 1]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    omega: Option<f64>,

    /// Sweeps before and after the coarser level [default: 4,4, blood 64,64]
    #[arg(long, value_name = "N,N", value_parser = sweeps)]
    steps: Option<[usize; 2]>,

    /// What is computed with
    #[arg(long, value_enum, default_value_t = Precision::Mixed)]
    precision: Precision,

    /// Stop at this part of the first defect
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-8, value_parser = positive,
          allow_negative_numbers = true)]
    rtol: f64,

    /// At most so many cycles
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    maxcycles: u32,

    /// Write u and its mesh to this file (.vtu), for ParaView
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Write the defect at the start and after each cycle to this file, as CSV
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

/// The meshes that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mesh {
    /// A rectangle round a circle
    Circle,
    /// A vessel with an aneurysm
    Blood,
}

impl Mesh {
    fn coarse(self) -> QuadMesh {
        match self {
            Mesh::Circle => circle(),
            Mesh::Blood => blood(),
        }
    }

    /// The paper's smoothing, f, and what u is on each part of the boundary.
    fn problem(self) -> (Settings, f64, &'static [f64]) {
        match self {
            Mesh::Circle => (Settings::paper_circle(), 1.0, &[0.0, 1.0]),
            Mesh::Blood => (Settings::paper_blood(), 0.0, &[1.0; 4]),
        }
    }
}

/// NAME=NUMBER
fn held(text: &str) -> Result<(String, f64), String> {
    let (name, number) = text
        .split_once('=')
        .ok_or("give a boundary and a number, as in outer=0")?;
    Ok((name.to_owned(), finite(number)?))
}

/// Assembles, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let targets = [
        ("--out", arguments.out.as_deref()),
        ("--history", arguments.history.as_deref()),
    ];
    check_targets(&targets)?;
    let (element, levels) = (arguments.element, usize::from(arguments.levels));
    let (settings, source, values) = arguments.settings();
    let coarse = arguments.mesh.coarse();
    let conditions = arguments.conditions(&coarse, values)?;
    check_levels(&coarse, element, levels)?;

    let meshes = coarse.levels(levels);
    let constants: Vec<(bool, Box<Constant>)> = conditions
        .into_iter()
        .map(|(is_slope, value)| (is_slope, Box::new(move |_| value) as Box<Constant>))
        .collect();
    let boundary = constants.iter().map(|(is_slope, value)| match is_slope {
        true => Condition::Neumann(&**value),
        false => Condition::Dirichlet(&**value),
    });
    let problem = Problem {
        source: &|_| source,
        boundary: boundary.collect(),
    };
    let machine = session.machine()?;
    let system = Discretisation::new(&meshes, element, &problem, arguments.numbering)?;
    let (u, outcome) = device::solve(&machine, &system, &settings, arguments.precision)?;
    // Allowed cycles may end before growth has become large.
    let reason = match outcome.reason {
        Reason::MaximumIterations if outcome.residual > outcome.history[0] => Reason::Diverged,
        reason => reason,
    };
    let residual = true_residual(&system.matrices[0], &system.right_side, &u)?;

    if let Some(path) = &arguments.history {
        let lines = outcome.history.iter().enumerate();
        let lines = lines.map(|(cycle, defect)| format!("{cycle},{defect:e}"));
        write_csv(path, "cycle,defect", lines)?;
    }
    let is_usable = !matches!(reason, Reason::Diverged | Reason::NotFinite);
    let u = system.by_place(&u);
    let space = Space::new(&meshes[levels - 1], element);
    if let Some(path) = arguments.out.as_ref().filter(|_| is_usable) {
        write_atomically(path, |out| write_vtu(&space, &u, out))?;
    }
    let (low, high) = u
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &u| {
            (low.min(u), high.max(u))
        });
    writeln!(
        session.out,
        "{} unknowns, {} non-zeros on level {levels}\n{} after {} cycles, defect {:.3e} of the first, \
         {:.3e} in double precision\nu from {low:.6} to {high:.6}",
        u.len(),
        system.matrices[0].entries(),
        reason,
        outcome.iterations,
        outcome.residual / outcome.history[0],
        residual.norm / outcome.history[0],
    )?;
    let remedy = match reason {
        Reason::Converged => return Ok(()),
        Reason::MaximumIterations => "allow more with --maxcycles, or choose a larger --rtol",
        Reason::Diverged => "choose a smaller --omega, or more sweeps (--steps)",
        Reason::Stagnated => {
            "this precision leads no closer: choose another --precision, or a larger --rtol"
        }
        _ => OUT_OF_RANGE,
    };
    let cycles = format_args!("{} cycles", outcome.iterations);
    let goal = settings.reduction * outcome.history[0];
    let norms = [outcome.residual, goal];
    Err(Failure::unconverged(
        "multigrid",
        reason,
        cycles,
        norms,
        remedy,
    ))
}

/// A number everywhere.
type Constant = dyn Fn([f64; 2]) -> f64 + Sync;

impl Arguments {
    /// How it is solved, f, and the mesh's own values on its boundaries.
    fn settings(&self) -> (Settings, f64, &'static [f64]) {
        let (paper, source, values) = self.mesh.problem();
        let omega = match self.smoother {
            Smoother::Jacobi => paper.omega,
            Smoother::Spai => 1.0,
        };
        let [before, after] = self
            .steps
            .unwrap_or([paper.cycle.before, paper.cycle.after]);
        let settings = Settings {
            smoother: self.smoother,
            omega: self.omega.unwrap_or(omega),
            cycle: Cycle::v(before, after),
            reduction: self.rtol,
            max_cycles: self.maxcycles as usize,
            ..paper
        };
        (settings, self.rhs.unwrap_or(source), values)
    }

    /// What is known on each part of the boundary: whether it is the slope, and the number.
    fn conditions(&self, mesh: &QuadMesh, values: &[f64]) -> Result<Vec<(bool, f64)>, Failure> {
        let mut conditions: Vec<(bool, f64)> = values.iter().map(|&value| (false, value)).collect();
        let given = self.dirichlet.iter().map(|given| (false, given));
        let given = given.chain(self.neumann.iter().map(|given| (true, given)));
        for (is_slope, (name, value)) in given {
            let names = mesh.parts.iter().map(|part| part.name.as_str());
            match names.clone().position(|part| part == name) {
                Some(part) => conditions[part] = (is_slope, *value),
                None => {
                    let names: Vec<&str> = names.collect();
                    let names = names.join(", ");
                    return Err(Failure::input(format_args!(
                        "there is no boundary {name}; this mesh has {names}"
                    )));
                }
            }
        }
        if conditions.iter().all(|(is_slope, _)| *is_slope) {
            return Err(Failure::input(
                "with slopes on all boundaries u is known but for a constant; hold it on one by \
                 --dirichlet",
            ));
        }
        Ok(conditions)
    }
}

/// That main memory holds so many levels.
fn check_levels(coarse: &QuadMesh, element: Element, levels: usize) -> Result<(), Failure> {
    let unknowns = |level| Counts::of_level(coarse, level).unknowns(element);
    if unknowns(levels) <= MOST_UNKNOWNS {
        return Ok(());
    }
    let largest = (1..levels).rfind(|&level| unknowns(level) <= MOST_UNKNOWNS);
    Err(Failure::input(format_args!(
        "--levels {levels} has {} unknowns, which take about {} GB; the largest that fits is {}",
        unknowns(levels),
        unknowns(levels) >> 20,
        largest.unwrap_or(1)
    )))
}
