//! `fragstream fem`: Poisson's equation on unstructured quadrilaterals by finite-element multigrid
//! (geveler2011).

mod conditions;
mod mesh;
mod results;

use std::io::Write;
use std::time::Instant;

use clap::Args;

use crate::formula::Formula;
use crate::geveler2011::elements::{Element, Numbering, Space};
use crate::geveler2011::mesh::QuadMesh;
use crate::geveler2011::multigrid::{Discretisation, Precision, Settings, Smoother, device};
use crate::geveler2011::products::{EllpackLayout, RowFormat};
use crate::solver::multigrid::Cycle;
use crate::solver::{Outcome, Reason, true_residual};

use super::arguments::{check_sweeps, name_of, positive};
use super::failure::{Failure, OUT_OF_RANGE};
use super::session::Session;
use conditions::{Conditions, Given};
use mesh::{Source, check_levels};
use results::{Files, Solution};

/// Solve -lap u = f on a mesh of quadrilaterals by multigrid, all of it sparse products in textures
/// (geveler2011).
///
/// `circle` is a rectangle round a circle: u is 0 outside and 1 on the circle, f = 1. `blood` is a
/// vessel with an aneurysm: u is 1 on its walls, f = 0. On a mesh of your own f is 1, u 0 on the
/// boundary. Every level divides each cell in four.
///
/// Meshes: Gmsh's (.msh, text, version 4.1, or 2.2 saved without `save all`), whose physical curves name
/// parts of the boundary, straight from node to node; or FEAT's (.tri, with the .prm beside it), whose
/// curves are followed when cells are divided, and are called 1.1, 1.2 …, or 1 for all of component 1
/// together. Edges without a name are `boundary`. Of a mesh with triangles, each becomes three
/// quadrilaterals. A mesh that goes round clockwise is turned back.
///
/// Formulas are in x and y, with + - * / ^, brackets, pi, e, sin, cos, tan, exp, log, sqrt, abs, tanh,
/// min, max, pow and atan2.
///
/// Defects are taken in pairs of floats, about 48 bits, cycles in single precision, unless
/// --precision says otherwise; the residual that is printed at the end is computed in double precision
/// on the CPU.
///
/// Ends with exit code 3 and a reason other than `converged`: `max-iterations`, `stagnated` (the
/// precision leads no closer), `diverged` (smooth more, or by less) or `not-finite`. The history and the
/// matrices are written all the same, and so is u unless it diverged.
#[derive(Args)]
pub struct Arguments {
    /// circle, blood, or a file (.msh, or .tri with .prm)
    mesh: Source,

    /// The finite element
    #[arg(long, value_enum, default_value_t = Element::Q1)]
    element: Element,

    /// Levels of refinement, the coarse mesh included
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u8).range(1..=12))]
    levels: u8,

    /// f [default: 1, blood 0]
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    rhs: Option<Formula>,

    /// u on a part of the boundary, or on all of it: `circle` has outer and circle, `blood` inner,
    /// outer, dome and ends
    #[arg(long, value_name = "[NAME=]FORMULA", allow_hyphen_values = true)]
    dirichlet: Vec<Given>,

    /// The slope of u, outwards, on a part of the boundary, or on all of it
    #[arg(long, value_name = "[NAME=]FORMULA", allow_hyphen_values = true)]
    neumann: Vec<Given>,

    /// How unknowns are numbered
    #[arg(long, value_enum, default_value_t = Numbering::TwoLevel)]
    numbering: Numbering,

    /// What smooths
    #[arg(long, value_enum, default_value_t = Smoother::Jacobi)]
    smoother: Smoother,

    /// The part of the way that a sweep goes [default: 0.7, blood 0.5, with spai 1]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    omega: Option<f64>,

    /// Sweeps before a coarser level is visited [default: 4, blood 64]
    #[arg(long, value_name = "N")]
    pre: Option<usize>,

    /// Sweeps afterwards [default: 4, blood 64]
    #[arg(long, value_name = "N")]
    post: Option<usize>,

    /// How matrices lie in textures: in rows that end at their own lengths, as in the paper, or that are
    /// padded to the longest, which was legal in 2003
    #[arg(long, value_enum, default_value_t = RowFormat::EllpackR)]
    layout: RowFormat,

    /// What is computed with
    #[arg(long, value_enum, default_value_t = Precision::Mixed)]
    precision: Precision,

    /// Stop at this part of the first defect
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-8, value_parser = positive,
          allow_negative_numbers = true)]
    rtol: f64,

    /// At most so many cycles
    #[arg(long, alias = "maxcycles", value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    maxiter: u32,

    #[command(flatten)]
    files: Files,
}

/// Assembles, solves, writes and prints.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    arguments.files.check()?;
    let settings = arguments.settings();
    check_sweeps(settings.cycle.before, settings.cycle.after)?;
    let (element, levels) = (arguments.element, usize::from(arguments.levels));
    let coarse = arguments.mesh.read()?;
    let conditions = arguments.conditions(&coarse.mesh)?;
    check_levels(&coarse.mesh, element, levels)?;
    let (cells, told) = (coarse.mesh.cells.len(), conditions.told(&coarse.mesh));

    let started = Instant::now();
    let meshes = coarse.mesh.checked_levels(levels)?;
    let system = conditions.with_problem(|problem| {
        Discretisation::new(&meshes, element, problem, arguments.numbering)
    })?;
    conditions.check()?;
    let assembled = started.elapsed();
    let machine = session.machine_for(system.start.len() / 4)?;
    let started = Instant::now();
    let (x, outcome) = device::solve(&machine, &system, &settings, arguments.precision)?;
    let solved = started.elapsed();
    // Allowed cycles may end before growth has become large.
    let reason = match outcome.reason {
        Reason::MaximumIterations if outcome.residual > outcome.history[0] => Reason::Diverged,
        reason => reason,
    };
    let residual = true_residual(&system.matrices[0], &system.right_side, &x)?;

    let u = system.by_place(&x);
    let name = name_of(element).to_uppercase();
    let solution = Solution {
        space: Space::new(&meshes[levels - 1], element),
        system: &system,
        x: &x,
        u: &u,
        is_usable: !matches!(reason, Reason::Diverged | Reason::NotFinite),
        head: [
            format!("u on {}, {name}, level {levels}", coarse.name),
            match told.len() {
                0..100 => format!("{told}; {} unknowns", u.len()),
                // What does not fit in the picture's width stands on the terminal.
                _ => format!("{} unknowns", u.len()),
            },
        ],
    };
    arguments.files.write(&outcome.history, &solution)?;

    if let Some(note) = &coarse.note {
        writeln!(session.out, "{note}")?;
    }
    // Of a problem whose boundary values solve it, the first defect is zero.
    let relative = |norm: f64| {
        if norm == 0.0 {
            0.0
        } else {
            norm / outcome.history[0]
        }
    };
    let range = u
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &u| {
            [low.min(u), high.max(u)]
        });
    writeln!(
        session.out,
        "{}, {cells} cells: {told}\n{} unknowns, {} non-zeros on level {levels}\n{reason} after {} \
         cycles, defect {:.3e} of the first, {:.3e} in double precision\nu from {:.6} to \
         {:.6}\nseconds: {:.2} to assemble, {:.2} to upload and solve",
        coarse.name,
        u.len(),
        system.matrices[0].entries(),
        outcome.iterations,
        relative(outcome.residual),
        relative(residual.norm),
        range[0],
        range[1],
        assembled.as_secs_f64(),
        solved.as_secs_f64(),
    )?;
    judged(reason, &outcome, &settings)
}

/// The end of a solve: a failure that says what may help, unless it converged.
fn judged(reason: Reason, outcome: &Outcome, settings: &Settings) -> Result<(), Failure> {
    let remedy = match reason {
        Reason::Converged => return Ok(()),
        Reason::MaximumIterations => "allow more with --maxiter, or choose a larger --rtol",
        Reason::Diverged => "choose a smaller --omega, or more sweeps (--pre, --post)",
        Reason::Stagnated => {
            "this precision leads no closer: choose another --precision, or a larger --rtol"
        }
        _ => OUT_OF_RANGE,
    };
    let cycles = format_args!("{} cycles", outcome.iterations);
    let norms = [outcome.residual, settings.reduction * outcome.history[0]];
    Err(Failure::unconverged(
        "multigrid",
        reason,
        cycles,
        norms,
        remedy,
    ))
}

impl Arguments {
    /// How it is solved: as the paper does on its meshes, but for what is asked for.
    fn settings(&self) -> Settings {
        let (mut settings, ..) = self.mesh.problem();
        if self.smoother == Smoother::Spai {
            settings.omega = 1.0;
        }
        settings.smoother = self.smoother;
        settings.layout = match self.layout {
            RowFormat::Ellpack => EllpackLayout::of_2003(),
            RowFormat::EllpackR => EllpackLayout::paper_2011(),
        };
        settings.omega = self.omega.unwrap_or(settings.omega);
        settings.cycle = Cycle::v(
            self.pre.unwrap_or(settings.cycle.before),
            self.post.unwrap_or(settings.cycle.after),
        );
        settings.reduction = self.rtol;
        settings.max_cycles = self.maxiter as usize;
        settings
    }

    /// What is known, by options and else by the mesh.
    fn conditions(&self, mesh: &QuadMesh) -> Result<Conditions, Failure> {
        let (_, source, [others, last]) = self.mesh.problem();
        let source = self.rhs.clone().unwrap_or_else(|| source.into());
        let value = |part: usize| {
            Formula::from(if part + 1 == mesh.parts.len() {
                last
            } else {
                others
            })
        };
        Conditions::new(mesh, source, value, [&self.dirichlet, &self.neumann])
    }
}
