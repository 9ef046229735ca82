//! `fragstream fem`: Poisson's equation on unstructured quadrilaterals by finite-element multigrid
//! (geveler2011).

use std::path::Path;
use std::time::Instant;

use clap::Args;
use serde_json::json;

use crate::base::formula;
use crate::geveler2011::device::Prepared;
use crate::geveler2011::solves::fem::{Assembled, Settings};
use crate::geveler2011::{Discretisation, Space, picture, write_vtu};
use crate::io::matrix_market::{write_matrix, write_vector};
use crate::io::write_atomically;
use crate::solver::{Csr, Reason};

use super::arguments::check_sweeps;
use super::failure::Failure;
use super::outcome::Outcome;
use super::output::{Folder, Target, file};
use super::session::{Progress, Session};
use super::task::Task;

/// Solve -lap u = f on a mesh of quadrilaterals by multigrid; every operator is a sparse matrix in textures
/// (geveler2011)
///
/// `circle` is a rectangle around a circle: u is 0 outside and 1 on the circle, f = 1. `blood` is a vessel
/// with an aneurysm: u is 1 on its boundary, f = 0. On a mesh of your own f is 1, and u is 0 on the boundary.
/// Every level divides each cell into four.
///
/// Meshes: Gmsh (.msh, text, version 4.1, or 2.2 saved without `save all`) or FEAT (.tri, with its .prm in the
/// same folder). In Gmsh's, physical curves name parts of the boundary, and edges are straight between nodes.
/// In FEAT's, cells are divided along the curves, which are called 1.1, 1.2 …, or 1 for all of component 1.
/// An edge may have several names. Of two conditions on it, that on the smaller part decides if the larger one
/// contains it; other overlaps are refused. Where parts meet, the last u on the command line is taken.
/// Edges without a name are `boundary`. A triangle is divided into three quadrilaterals. Clockwise cells are
/// reversed.
///
/// By default defects are computed in pairs of floats (about 48 bits) and cycles in single precision; see
/// --precision. The residual printed at the end is computed in double precision on the CPU. The layout is not timed:
/// a cycle multiplies with the finest matrix about ten times, too few to pay for storing it twice.
///
/// Exit code 3 means that the solver did not converge. The history and the matrices are still written, and so
/// is u unless the solver diverged.
#[derive(Args)]
#[command(after_long_help = formula::help())]
pub struct Files {
    /// Write u and its mesh, for ParaView
    #[arg(long, value_name = "FILE.vtu", value_parser = file("vtu"), help_heading = "Output")]
    out: Option<Target>,

    /// Draw u, with lines of equal values and a scale
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    png: Option<Target>,

    /// Write the defect at the start and after each cycle
    #[arg(long, value_name = "FILE.csv", value_parser = file("csv"), help_heading = "Output")]
    history: Option<Target>,

    /// Write the matrices into this folder, in the Matrix Market format and the chosen numbering: of every
    /// level L the matrix A_L.mtx and, from the second on, the prolongation P_L.mtx from level L-1; of the
    /// finest level the right-hand side b_L.mtx and the solution x_L.mtx
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    matrices: Option<Folder>,
}

impl Task for Files {
    type Settings = Settings;

    fn run(&self, task: &Settings, session: &mut Session) -> Result<(), Failure> {
        let settings = task.solver();
        check_sweeps(settings.cycle)?;
        session.resolved("rhs", task.mesh.problem().1.to_string());
        session.resolved("omega", settings.omega);
        session.resolved("pre", settings.cycle.before);
        session.resolved("post", settings.cycle.after);
        let (element, levels) = (task.element, usize::from(task.levels));
        let started = Instant::now();
        let progress = Progress::of("assembling");
        let Assembled { coarse, equation, meshes, system } = task.assembled()?;
        let assembled = started.elapsed();
        let machine = session.machine_for(system.start.len() / 4)?;
        let started = Instant::now();
        let unknowns = system.start.len();
        progress.say(|| format!("solving for {unknowns} unknowns"));
        let shown =
            |defect| progress.say(|| format!("{unknowns} unknowns: relative defect {defect:.2e}"));
        let prepared = Prepared::new(&machine, &system, &settings, task.precision)?;
        let solved = prepared.watched(&shown)?;
        let seconds = started.elapsed();
        drop(progress);

        let (reason, history, x) = (solved.reason, &solved.history, &solved.u);
        let u = system.by_place(x);
        let is_usable = !matches!(*reason, Reason::Diverged | Reason::NotFinite);
        if let Some(file) = &self.history {
            file.history("cycle,defect", history.iter().copied().enumerate())?;
        }
        if let Some(folder) = &self.matrices {
            folder.make()?;
            write_matrices(folder.path(), &system, is_usable.then_some(x))?;
            folder.report("the matrices");
        }
        let space = Space::new(&meshes[levels - 1], element);
        let draw = || {
            let title = format!("u on {}, {element:?}, level {levels}", coarse.name);
            let note = match equation.len() {
                0..100 => format!("{equation}; {} unknowns", u.len()),
                // A longer equation does not fit in the picture.
                _ => format!("{} unknowns", u.len()),
            };
            picture(&space, &u, title, note)
        };
        let [first, last] = solved.residuals;
        // If the boundary values solve the problem, the first defect is zero.
        let relative = |norm: f64| if norm == 0.0 { 0.0 } else { norm / first };
        let result = json!({
            "mesh": coarse.name,
            "note": coarse.note,
            "cells": coarse.mesh.cells.len(),
            "equation": equation,
            "level": levels,
            "unknowns": u.len(),
            "entries": system.matrices[0].entries(),
            "reason": reason,
            "cycles": solved.cycles(),
            "defect": relative(history[solved.cycles()]),
            "defect_true": relative(last),
            "error_estimate": solved.error,
            "u_min": u.iter().copied().fold(f64::INFINITY, f64::min),
            "u_max": u.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            "seconds": {"assemble": assembled.as_secs_f64(), "solve": seconds.as_secs_f64()},
        });
        let norms = [last, solved.tolerance];
        Outcome::of_cycles(reason, solved.cycles(), norms).end(
        &[
            (is_usable, self.out.as_ref(), &|file| {
                file.write(|path| write_atomically(path, |out| write_vtu(&space, &u, out)))
            }),
            (is_usable, self.png.as_ref(), &|file| file.bytes(&draw()?)),
        ],
        session,
        &json!({"omega": settings.omega, "pre": settings.cycle.before, "post": settings.cycle.after, "history": history}),
        &result,
    )
    }
}

/// Writes the matrices of all levels, and of the finest one b and x.
fn write_matrices(
    folder: &Path,
    system: &Discretisation,
    x: Option<&Vec<f64>>,
) -> Result<(), Failure> {
    let finest = system.matrices.len();
    let file = |name: &str, level: usize| folder.join(format!("{name}_{level}.mtx"));
    let write = |name, depth, matrix: &Csr<f64>| {
        let size = [matrix.rows(), matrix.columns()];
        write_matrix(&file(name, finest - depth), size, matrix.entries(), matrix.triplets())
    };
    for (depth, matrix) in system.matrices.iter().enumerate() {
        write("A", depth, matrix)?;
    }
    for (depth, matrix) in system.prolongations.iter().enumerate() {
        write("P", depth, matrix)?;
    }
    write_vector(&file("b", finest), &system.right_side)?;
    Ok(x.map_or(Ok(()), |x| write_vector(&file("x", finest), x))?)
}
