//! `fragstream smooth`: a triangle mesh smoothed by geometric flow (bolz2003, section 3).

mod flow;
mod frame;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::claim::bundled::{SCAN, is_named, scan};
use crate::io::{MeshFormat, read_valid_mesh, write_atomically, write_mesh};
use crate::memory;
use crate::mesh::generate::add_normal_noise;
use crate::mesh::measure::{area, mean_squared_edge_length};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::picture::mesh::{View, draw};
use crate::picture::sheet::side_by_side;
use crate::stream::Machine;

use super::arguments::{Method, Solver, name_of, not_negative, positive};
use super::failure::{Failure, Status};
use super::files::check_targets;
use super::session::{Session, progress_bar};
use flow::{Flow, Step};

/// Where --png sees meshes from, in degrees, and its pixels a side.
const AZIMUTH: f64 = 30.0;
const ELEVATION: f64 = 25.0;
const SIDE: u32 = 800;

/// Bytes of memory per triangle.
const TRIANGLE: u64 = 430;

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
    /// Mesh to smooth: a file, or `bunny`, the bundled scan
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

    /// Draw the mesh before and after into this PNG
    #[arg(long, value_name = "FILE.png")]
    png: Option<PathBuf>,

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
    let Arguments { input, output, .. } = arguments;
    MeshFormat::of(output).map_err(|error| Failure::in_file(output, error))?;
    let png = arguments.png.as_deref();
    check_targets([Some(output.as_path()), png])?;
    let mut mesh = match is_named(input, SCAN) {
        true => scan().map_err(Failure::input)?,
        false => read_valid_mesh(input)?,
    };
    if let Some(amplitude) = arguments.noise {
        add_normal_noise(&mut mesh, amplitude, arguments.seed);
        mesh.validate()
            .map_err(|error| Failure::in_file(input, format_args!("with this noise, {error}")))?;
    }
    let triangles = mesh.triangles.len() as u64;
    memory::check(
        format_args!("{triangles} triangles"),
        triangles,
        TRIANGLE,
        1,
    )
    .map_err(|error| Failure::in_file(input, error))?;
    let connectivity = Connectivity::new(&mesh).map_err(|error| Failure::in_file(input, error))?;
    let before = png.map(|_| mesh.clone());
    smooth(&mut mesh, &connectivity, arguments, session)?;
    write_mesh(output, &mesh)?;
    if let Some((png, before)) = png.zip(before) {
        let picture = before_and_after(&session.machine()?, [&before, &mesh])?;
        write_atomically(png, |out| out.write_all(&picture))?;
    }
    let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
    let written = format!("{vertices} vertices, {triangles} triangles");
    writeln!(session.out, "{}: {written}", output.display())?;
    Ok(())
}

/// Two meshes side by side, seen from the same place.
fn before_and_after(machine: &Machine, meshes: [&TriangleMesh; 2]) -> Result<Vec<u8>, Failure> {
    let view = View::of(meshes[0], AZIMUTH, ELEVATION);
    let mut pictures = Vec::new();
    for (name, mesh) in ["before", "after"].into_iter().zip(meshes) {
        pictures.push((name.to_owned(), draw(machine, mesh, &view, SIDE)?));
    }
    side_by_side(&pictures).map_err(Failure::input)
}

/// All steps, and the table.
fn smooth(
    mesh: &mut TriangleMesh,
    connectivity: &Connectivity,
    arguments: &Arguments,
    session: &mut Session,
) -> Result<(), Failure> {
    let squared_edge = mean_squared_edge_length(mesh, connectivity);
    let default = DEFAULT_MULTIPLE * squared_edge;
    let lambda_dt = arguments.lambda_dt.unwrap_or(default);
    let multiple = match lambda_dt / squared_edge {
        usual @ 0.01..1e4 => format!("{usual:.4}"),
        unusual => format!("{unusual:.3e}"),
    };
    let kinds = connectivity.kind().iter();
    let free = kinds.filter(|&&kind| kind == VertexKind::Interior).count();
    let fixed = mesh.positions.len() - free;
    // What cannot be packed is refused before anything is printed.
    let flow = || -> Result<Flow<'_>, Failure> {
        let (machine, solver) = (session.machine_for(free / 2)?, &arguments.solver);
        let edge = squared_edge.sqrt();
        Flow::new(&machine, mesh, connectivity, edge, lambda_dt, solver)
    };
    let moves = free > 0 && arguments.steps > 0;
    let flow = moves.then(flow).transpose()?;
    let out = &mut session.out;
    writeln!(
        out,
        "lambda dt {lambda_dt:.4e} = {multiple} x the mean squared edge"
    )?;
    writeln!(out, "{free} vertices are free, {fixed} stay")?;
    let Some(mut flow) = flow else { return Ok(()) };
    let bar = progress_bar(arguments.steps.into());
    writeln!(
        out,
        " step  iterations   residual          area  displacement"
    )?;
    writeln!(out, "    0  {:35.6e}", area(mesh))?;
    for number in 1..=arguments.steps {
        let step = flow.step(mesh)?;
        if !step.reason.is_converged() {
            return Err(unconverged(arguments, number, &step));
        }
        let (iterations, residual) = (step.iterations, step.residual);
        let (area, displacement) = (area(mesh), step.displacement);
        bar.suspend(|| {
            writeln!(
                out,
                "{number:5}  {iterations:10}  {residual:9.2e}  {area:12.6e}  {displacement:12.4e}"
            )
        })?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

fn unconverged(arguments: &Arguments, number: u32, step: &Step) -> Failure {
    let other = match arguments.solver.method {
        Method::Pcg => "",
        Method::Cg => "--method pcg, ",
    };
    let message = format!(
        "{}: {} stopped as {} in step {number} after {} iterations at the residual {:.2e} |b|; {} \
         was not written; try {other}a larger --rtol or a smaller --lambda-dt",
        arguments.input.display(),
        name_of(arguments.solver.method),
        step.reason,
        step.iterations,
        step.residual,
        arguments.output.display(),
    );
    Failure::new(Status::Unconverged, message)
}
