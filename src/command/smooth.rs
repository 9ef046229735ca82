//! `fragstream smooth`: a triangle mesh smoothed by geometric flow (bolz2003, section 3).

mod frame;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use fragstream::bolz2003::flow::{FlowLayout, GeometricFlow};
use fragstream::io::{MeshFormat, read_valid_mesh, write_mesh};
use fragstream::mesh::generate::add_normal_noise;
use fragstream::mesh::measure::{area, mean_squared_edge_length};
use fragstream::mesh::{Connectivity, TriangleMesh, VertexKind};
use fragstream::solver::{Criteria, Outcome, VectorSpace};
use fragstream::stream::StreamError;

use super::arguments::{Method, Solver, not_negative, positive};
use super::failure::{Failure, Status};
use super::paths::check_folder_of;
use super::session::{Session, progress_bar};
use frame::Frame;

/// λΔt in mean squared edges, unless it is given.
const DEFAULT_MULTIPLE: f64 = 1.0;

/// Smooth a triangle mesh by geometric flow (bolz2003, section 3).
///
/// Each step solves a system for all vertices that are not on a boundary; those on a boundary, and
/// those that no triangle uses, stay exactly where they are. Vertices and triangles keep their
/// order. Formats are told by the extensions: .ply (ASCII or binary), .obj, .off.
///
/// The table has a line a step: iterations, the residual that the method carried along (relative to
/// |b|), the surface's area, and how far a vertex moved at most. OUT is written after the last
/// step; if a step does not converge, nothing is written and the exit code is 3.
#[derive(Args)]
pub struct Arguments {
    /// The mesh to smooth
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Where to write it; a file that is there is replaced
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The number of steps
    #[arg(long, value_name = "N", default_value_t = 10)]
    steps: u32,

    /// Speed times time of a step, in squared mesh units: larger is smoother [default: the mean
    /// squared edge length]
    #[arg(long, value_name = "NUMBER", value_parser = positive, allow_negative_numbers = true)]
    lambda_dt: Option<f64>,

    #[command(flatten)]
    solver: Solver,

    /// First move every vertex along its normal by a random number of this standard deviation, in
    /// mesh units
    #[arg(long, value_name = "AMPLITUDE", value_parser = not_negative,
          allow_negative_numbers = true)]
    noise: Option<f64>,

    /// What the noise depends on
    #[arg(long, value_name = "N", default_value_t = 1, requires = "noise")]
    seed: u64,
}

/// Reads, smooths and writes.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let output = &arguments.output;
    MeshFormat::of(output).map_err(|error| Failure::in_file(output, error))?;
    check_folder_of(output)?;
    let mut mesh = read_valid_mesh(&arguments.input)?;
    let unfit = |error| Failure::in_file(&arguments.input, error);
    if let Some(amplitude) = arguments.noise {
        add_normal_noise(&mut mesh, amplitude, arguments.seed);
        mesh.validate()
            .map_err(|error| unfit(error).because("after the noise was added"))?;
    }
    let connectivity = Connectivity::new(&mesh).map_err(unfit)?;
    smooth(&mut mesh, &connectivity, arguments, session)?;
    write_mesh(output, &mesh)?;
    let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
    let written = format!("{vertices} vertices, {triangles} triangles");
    writeln!(session.out, "{}: {written}", output.display())?;
    Ok(())
}

/// All steps, and the table.
fn smooth(
    mesh: &mut TriangleMesh,
    connectivity: &Connectivity,
    arguments: &Arguments,
    session: &mut Session,
) -> Result<(), Failure> {
    let squared_edge = mean_squared_edge_length(mesh, connectivity);
    let lambda_dt = arguments
        .lambda_dt
        .unwrap_or(DEFAULT_MULTIPLE * squared_edge);
    let multiple = lambda_dt / squared_edge;
    let is_free = |kind: &&VertexKind| **kind == VertexKind::Interior;
    let free = connectivity.kind().iter().filter(is_free).count();
    let out = &mut session.out;
    writeln!(
        out,
        "lambda dt {lambda_dt:.4e} = {multiple:.4} x the mean squared edge"
    )?;
    writeln!(
        out,
        "{free} vertices are free, {} stay",
        mesh.positions.len() - free
    )?;
    if free == 0 || arguments.steps == 0 {
        return Ok(());
    }

    let machine = session.machine()?;
    let solver = &arguments.solver;
    let layout = FlowLayout::new(connectivity, &solver.packing(&machine))?;
    let frame = Frame::of(mesh, squared_edge.sqrt());
    let entered: Vec<[f32; 3]> = mesh.positions.iter().map(|&p| frame.enter(p)).collect();
    let mut flow = Flow {
        gpu: GeometricFlow::new(&machine, &entered, layout)?,
        frame,
        lambda_dt: lambda_dt / frame.unit.powi(2),
        preconditioned: solver.method == Method::Pcg,
        // b is an area times a length.
        criteria: solver.criteria(frame.unit.powi(-3)),
    };
    let bar = progress_bar(arguments.steps.into());
    let out = &mut session.out;
    writeln!(out, "{}", Line::heading())?;
    writeln!(out, "{}", Line::start(mesh))?;
    for step in 1..=arguments.steps {
        let (outcome, line) = flow.step(step, mesh, connectivity)?;
        if !outcome.reason.is_converged() {
            return Err(unconverged(arguments, step, &outcome, line.residual));
        }
        bar.suspend(|| writeln!(out, "{line}"))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// A mesh on the GPU, in the coordinates of its frame.
struct Flow {
    gpu: GeometricFlow,
    frame: Frame,
    /// In squared units of the frame.
    lambda_dt: f64,
    preconditioned: bool,
    criteria: Criteria,
}

impl Flow {
    /// One step; moves the free vertices of the mesh.
    fn step(
        &mut self,
        step: u32,
        mesh: &mut TriangleMesh,
        connectivity: &Connectivity,
    ) -> Result<(Outcome, Line), StreamError> {
        let gpu = &mut self.gpu;
        let outcome = gpu.step(self.lambda_dt, self.preconditioned, &self.criteria)?;
        let b = gpu.right_hand_side();
        let norm_of_b = gpu.space().dot(b, b)?.sqrt();
        let moved = gpu.positions()?;
        let mut farthest = 0.0_f64;
        let vertices = mesh
            .positions
            .iter_mut()
            .zip(moved)
            .zip(connectivity.kind());
        for ((position, moved), _) in vertices.filter(|(_, kind)| **kind == VertexKind::Interior) {
            let moved = self.frame.leave(moved);
            farthest = farthest.max(distance(*position, moved));
            *position = moved;
        }
        let line = Line {
            step,
            iterations: outcome.iterations,
            residual: outcome.residual / norm_of_b,
            area: area(mesh),
            displacement: farthest,
        };
        Ok((outcome, line))
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f64 {
    let squares = a
        .iter()
        .zip(b)
        .map(|(&a, b)| (f64::from(a) - f64::from(b)).powi(2));
    squares.sum::<f64>().sqrt()
}

/// A line of the table.
struct Line {
    step: u32,
    iterations: usize,
    residual: f64,
    area: f64,
    displacement: f64,
}

impl Line {
    fn heading() -> String {
        let [iterations, residual] = ["iterations", "residual"];
        let [area, displacement] = ["area", "displacement"];
        format!(" step  {iterations}  {residual:>9}  {area:>12}  {displacement}")
    }

    /// The mesh before the first step.
    fn start(mesh: &TriangleMesh) -> String {
        format!("{:5}  {:>10}  {:>9}  {:12.6e}", 0, "", "", area(mesh))
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Line {
            step,
            iterations,
            residual,
            area,
            displacement,
        } = self;
        write!(
            formatter,
            "{step:5}  {iterations:10}  {residual:9.2e}  {area:12.6e}  {displacement:12.4e}"
        )
    }
}

fn unconverged(arguments: &Arguments, step: u32, outcome: &Outcome, residual: f64) -> Failure {
    let message = format!(
        "{}: {} stopped as {} in step {step} after {} iterations at the residual {residual:.2e} \
         |b|; {} was not written; try --method pcg, a larger --rtol or a smaller --lambda-dt",
        arguments.input.display(),
        arguments.solver.method.name(),
        outcome.reason,
        outcome.iterations,
        arguments.output.display(),
    );
    Failure::new(Status::Unconverged, message)
}
