//! `fragstream smooth`: a triangle mesh smoothed by geometric flow (bolz2003, section 3).

mod flow;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::arguments::{GridSize, count, not_negative, positive};
use crate::claim::bundled::{SCAN, is_named, scan};
use crate::error::counted;
use crate::io::{MeshFile, WriteError, write_mesh};
use crate::memory;
use crate::mesh::generate::add_normal_noise;
use crate::mesh::measure::{area, mean_squared_edge_length};
use crate::mesh::{Connectivity, Repaired, TriangleMesh, VertexKind};
use crate::picture::mesh::{View, draw};
use crate::picture::sheet::side_by_side;
use crate::solver::Criteria;
use crate::stream::Machine;

use super::arguments::name_of;
use super::failure::Failure;
use super::output::{Target, mesh, note, png};
use super::session::{Progress, Session};
use flow::{Flow, Step};

/// View of --png, in degrees, and its pixels per side.
const AZIMUTH: f64 = 30.0;
const ELEVATION: f64 = 25.0;
const SIDE: u32 = 800;

/// Bytes of memory per triangle.
const TRIANGLE: u64 = 500;

/// Smooth a triangle mesh by geometric flow (bolz2003, section 3)
///
/// Each step solves a system for all vertices that are not on a boundary. Vertices on a boundary, and vertices
/// that no triangle uses, stay exactly where they are. The extension of a file determines its format: .ply (ASCII
/// or binary), .obj, .off, .stl. If IN and OUT have the same format, OUT is IN with other coordinates: polygons,
/// colours, normals and materials stay as they are (not in .stl). Otherwise OUT has triangles, in their order.
///
/// Textures have single precision, so a step is solved for its displacement, and the residual r = b - A x is
/// computed in double precision. OUT contains positions in single precision.
///
/// The table has one row per step: iterations, residual (relative to that before the step), area of the
/// surface, and largest displacement of a vertex. If a step does not converge, OUT has the steps before it, and
/// the exit code is 3.
#[derive(Args)]
#[command(mut_arg("rtol", |arg| arg
    .help("Relative tolerance: converged is |r| <= max(rtol |r0|, atol), with the residual r0 before the step")))]
pub struct Arguments {
    /// Mesh to smooth: a file, or `bunny`, the bundled scan
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Mesh to write; an existing file is replaced
    #[arg(value_name = "OUT", value_parser = mesh)]
    output: Target,

    /// Number of steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count(0..=u32::MAX))]
    steps: u32,

    /// Speed times length of a step, in squared mesh units: larger is smoother [default: the mean squared edge
    /// length]
    #[arg(long, value_name = "NUMBER", value_parser = positive)]
    lambda_dt: Option<f64>,

    /// First join vertices in the same position, drop triangles without area, and split edges with more than two
    /// triangles
    #[arg(long)]
    repair: bool,

    /// Draw the mesh before and after
    #[arg(long, value_name = "FILE.png", value_parser = png)]
    png: Option<Target>,

    /// First move every vertex along its normal by a random number of this standard deviation, in mesh units
    #[arg(long, value_name = "AMPLITUDE", value_parser = not_negative)]
    noise: Option<f64>,

    /// Random seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count(0..=u64::MAX), requires = "noise")]
    seed: u64,

    #[command(flatten)]
    solver: Solver,
}

/// Conjugate gradients with the matrix as groups of rows.
#[derive(Args)]
#[command(next_help_heading = "Solver")]
pub struct Solver {
    /// Conjugate gradients without a preconditioner, or with the diagonal as preconditioner
    #[arg(long, value_enum, default_value_t = Method::Cg)]
    method: Method,

    #[command(flatten)]
    criteria: Criteria,

    /// Width and height in texels of the rectangles that rows are packed into
    #[arg(long, value_name = "WxH", default_value_t = GridSize::new(26, 18))]
    rect: GridSize,
}

/// Method of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Conjugate gradients
    Cg,
    /// Conjugate gradients with the diagonal as preconditioner
    Pcg,
}

/// Reads, smooths and writes.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let Arguments { input, output, .. } = arguments;
    let (mut mesh, file) = read(arguments)?;
    if let Some(amplitude) = arguments.noise {
        add_normal_noise(&mut mesh, amplitude, arguments.seed);
        mesh.validate()
            .map_err(|error| Failure::in_file(input, format_args!("with this noise, {error}")))?;
    }
    let triangles = mesh.triangles.len() as u64;
    memory::check(format_args!("{triangles} triangles"), triangles, TRIANGLE, 1)
        .map_err(|error| Failure::in_file(input, error))?;
    let connectivity = Connectivity::new(&mesh).map_err(|error| Failure::in_file(input, error))?;
    let before = arguments.png.as_ref().map(|_| mesh.clone());
    let (table, failure) = smooth(&mut mesh, &connectivity, arguments, session)?;
    if failure.is_some() && table["steps"].as_array().is_some_and(|steps| steps.len() < 2) {
        output.leave();
        return failure.map_or(Ok(()), Err);
    }
    session.print(&(), &table)?;
    let mut lost = Vec::new();
    output.write(|path| {
        match &file {
            Some(file) => lost = file.write(path, &mesh)?,
            None => write_mesh(path, &mesh)?,
        }
        Ok::<_, WriteError>(())
    })?;
    if !lost.is_empty() {
        note(format_args!("{} is without: {}", output.path().display(), lost.join(", ")));
    }
    if let Some((png, before)) = arguments.png.as_ref().zip(before) {
        png.bytes(&before_and_after(&session.machine()?, [&before, &mesh])?)?;
    }
    failure.map_or(Ok(()), Err)
}

/// The mesh, checked, and its file.
fn read(arguments: &Arguments) -> Result<(TriangleMesh, Option<MeshFile>), Failure> {
    let input = &arguments.input;
    if is_named(input, SCAN) {
        return Ok((scan().map_err(Failure::input)?, None));
    }
    let mut file = MeshFile::read(input)?;
    if arguments.repair {
        let Repaired { joined, dropped, split } = file.repair();
        note(format_args!(
            "repaired: vertices joined: {joined}; triangles without area dropped: {dropped}; edges with more than \
             two triangles split: {split}"
        ));
    }
    file.check()?;
    Ok((file.mesh.clone(), Some(file)))
}

/// Two meshes side by side, seen from the same position.
fn before_and_after(machine: &Machine, meshes: [&TriangleMesh; 2]) -> Result<Vec<u8>, Failure> {
    let view = View::of(meshes[0], AZIMUTH, ELEVATION);
    let mut pictures = Vec::new();
    for (name, mesh) in ["before", "after"].into_iter().zip(meshes) {
        pictures.push((name.to_owned(), draw(machine, mesh, &view, SIDE)?));
    }
    side_by_side(&pictures).map_err(Failure::input)
}

/// All steps, and the table; the failure of a step that did not converge, which leaves the mesh as before it.
fn smooth(
    mesh: &mut TriangleMesh,
    connectivity: &Connectivity,
    arguments: &Arguments,
    session: &Session,
) -> Result<(Value, Option<Failure>), Failure> {
    let squared_edge = mean_squared_edge_length(mesh, connectivity);
    let lambda_dt = arguments.lambda_dt.unwrap_or(squared_edge);
    let kinds = connectivity.kind().iter();
    let free = kinds.filter(|&&kind| kind == VertexKind::Interior).count();
    let mut rows = Vec::new();
    let mut failure = None;
    if free == 0 {
        let remedy = if arguments.repair {
            ""
        } else {
            ". Vertices in the same position are joined by --repair"
        };
        note(format_args!(
            "no vertex can move: all are on a boundary, or no triangle uses them{remedy}"
        ));
    }
    if free > 0 && arguments.steps > 0 {
        let machine = session.machine_for(free / 2)?;
        let (edge, solver) = (squared_edge.sqrt(), &arguments.solver);
        let mut flow = Flow::new(&machine, mesh, connectivity, edge, lambda_dt, solver)?;
        let progress = Progress::of_steps(arguments.steps.into());
        rows.push(json!({
            "step": 0, "iterations": 0, "residual": null, "area": area(mesh), "displacement": 0.0,
        }));
        for number in 1..=arguments.steps {
            let step = flow.step(mesh)?;
            if !step.reason.is_converged() {
                failure = Some(unconverged(arguments, number, &step));
                break;
            }
            rows.push(json!({
                "step": number,
                "iterations": step.iterations,
                // A flat mesh has no residual to reduce.
                "residual": (step.iterations > 0).then_some(step.residual),
                "area": area(mesh),
                "displacement": step.displacement,
            }));
            progress.step();
        }
    }
    let table = json!({
        "vertices": mesh.positions.len(),
        "triangles": mesh.triangles.len(),
        "free_vertices": free,
        "lambda_dt": lambda_dt,
        "lambda_dt_per_mean_squared_edge": lambda_dt / squared_edge,
        "steps": rows,
    });
    Ok((table, failure))
}

fn unconverged(arguments: &Arguments, number: u32, step: &Step) -> Failure {
    let method = arguments.solver.method;
    let other = match method {
        Method::Pcg => "Choose",
        Method::Cg => "Try --method pcg,",
    };
    Failure::unconverged(
        format_args!("{}: {} in step {number}", arguments.input.display(), name_of(method)),
        step.reason,
        counted(step.iterations, "iteration"),
        [step.residual, arguments.solver.criteria.rtol],
        Some(format!("{other} a larger --rtol, or a smaller --lambda-dt")),
    )
}
