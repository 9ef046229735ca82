//! `fragstream smooth`: a triangle mesh smoothed by geometric flow (bolz2003, section 3).

use clap::Args;
use serde::Serialize;

use crate::base::error::counted;
use crate::base::memory;
use crate::bolz2003::solves::smooth::Settings;
use crate::bolz2003::sparse::smoothing::{Smoothing, Step};
use crate::io::{MeshFile, WriteError, write_mesh};
use crate::mesh::measure::mean_squared_edge_length;
use crate::mesh::{Connectivity, Repaired, TriangleMesh, VertexKind};
use crate::picture::mesh::{View, draw};
use crate::picture::sheet::side_by_side;
use crate::solver::Reason;
use crate::stream::Machine;

use super::failure::Failure;
use super::outcome::Outcome;
use super::output::{Target, file, mesh, note};
use super::session::{Progress, Session};
use super::task::Task;

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
/// computed in double precision. OUT contains the numbers of IN plus the displacements. The matrix is assembled in
/// textures, in the paper's layout (groups of rows of equal length), so no other layout is timed.
///
/// The table has one row per step: iterations, residual (relative to that before the step), area of the
/// surface, and largest displacement of a vertex. If a step does not converge, OUT has the steps before it, and
/// the exit code is 3.
#[derive(Args)]
pub struct Files {
    /// Mesh to write; an existing file is replaced
    #[arg(value_name = "OUT", value_parser = mesh)]
    output: Option<Target>,

    /// Mesh to write; an existing file is replaced
    #[arg(long, value_name = "FILE", value_parser = mesh, conflicts_with = "output",
          help_heading = "Output")]
    out: Option<Target>,

    /// Draw the mesh before and after
    #[arg(long, value_name = "FILE.png", value_parser = file("png"), help_heading = "Output")]
    png: Option<Target>,
}

impl Task for Files {
    type Settings = Settings;

    fn run(&self, settings: &Settings, session: &mut Session) -> Result<(), Failure> {
        let (input, output) = (&settings.input, self.out.as_ref().or(self.output.as_ref()));
        if settings.noise.is_none() && settings.seed != Settings::default().seed {
            let what = format_args!("--seed {} is that of --noise. Give both", settings.seed);
            return Err(Failure::input(what));
        }
        let (mut mesh, file) = read(settings)?;
        settings.disturb(&mut mesh);
        if settings.noise.is_some() {
            mesh.validate().map_err(|error| {
                Failure::in_file(input, format_args!("with this noise, {error}"))
            })?;
        }
        let triangles = mesh.triangles.len() as u64;
        memory::check(format_args!("{triangles} triangles"), triangles, TRIANGLE, 1)
            .map_err(|error| Failure::in_file(input, error))?;
        let connectivity =
            Connectivity::new(&mesh).map_err(|error| Failure::in_file(input, error))?;
        let before = self.png.as_ref().map(|_| mesh.clone());
        let (smoothed, failed) = smooth(&mut mesh, &connectivity, settings, session)?;
        session.resolved("lambda_dt", smoothed.lambda_dt);
        let is_usable = failed.is_none() || smoothed.steps.len() > 1;
        let machine =
            before.as_ref().filter(|_| is_usable).map(|_| session.machine()).transpose()?;
        let meshes = before.as_ref().map(|before| [before, &mesh]);
        let last = failed.unwrap_or_else(|| Step::start(&mesh));
        let method = settings.solver.method;
        // Before the first iteration, the residual is as before the step.
        let residual = last.residual.unwrap_or(1.0);
        let hint = match *last.reason {
            Reason::MaximumIterations => None,
            Reason::Stagnated if residual < f64::from(f32::EPSILON) => None,
            _ => Some("The matrix is nearly singular or indefinite: choose a smaller --lambda-dt"),
        };
        let name = format!("{method:?}").to_lowercase();
        let outcome = Outcome {
            method: format!("{}: {name} in step {}", input.display(), last.step),
            reason: last.reason,
            steps: counted(last.iterations, "iteration"),
            norms: [residual, settings.solver.criteria.rtol],
            suffices: false,
            hint: hint.map(str::to_owned),
        };
        outcome.end(
            &[
                (is_usable, output, &|output| write(output, file.as_ref(), &mesh)),
                (is_usable, self.png.as_ref(), &|png| match (&machine, meshes) {
                    (Some(machine), Some(meshes)) => png.bytes(&before_and_after(machine, meshes)?),
                    _ => Ok(()),
                }),
            ],
            session,
            &(),
            &smoothed,
        )
    }
}

/// Writes the mesh, and notes what its format cannot hold.
fn write(output: &Target, file: Option<&MeshFile>, mesh: &TriangleMesh) -> Result<(), Failure> {
    let mut lost = Vec::new();
    output.write(|path| {
        match file {
            Some(file) => lost = file.write(path, mesh)?,
            None => write_mesh(path, mesh)?,
        }
        Ok::<_, WriteError>(())
    })?;
    if !lost.is_empty() {
        note(format_args!("{} is without: {}", output.path().display(), lost.join(", ")));
    }
    if file.is_some_and(|file| file.keeps_normals(output.path())) {
        let path = output.path().display();
        note(format_args!("{path}: the normals are those of the mesh before. Compute them again"));
    }
    Ok(())
}

/// The mesh, checked, and its file.
fn read(settings: &Settings) -> Result<(TriangleMesh, Option<MeshFile>), Failure> {
    let input = &settings.input;
    if let Some(mesh) = settings.bundled() {
        return Ok((mesh.map_err(Failure::input)?, None));
    }
    let mut file = MeshFile::read(input)?;
    if settings.repair {
        let (Repaired { joined, tolerance, dropped, twice, split }, short) = file.repair();
        note(format_args!(
            "repaired: vertices joined: {joined}; tolerance: {tolerance:.1e}; faces with fewer than three \
             corners dropped: {short}; triangles without area dropped: {dropped}; triangles that were there twice \
             dropped: {twice}; edges with more than two triangles split: {split}"
        ));
    }
    file.check()?;
    Ok((file.mesh().clone(), Some(file)))
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

/// The result in the output.
#[derive(Serialize)]
struct Smoothed {
    vertices: usize,
    triangles: usize,
    free_vertices: usize,
    lambda_dt: f64,
    lambda_dt_per_mean_squared_edge: f64,
    steps: Vec<Step>,
}

/// All steps that converged, and the one that did not, which leaves the mesh as before it.
fn smooth(
    mesh: &mut TriangleMesh,
    connectivity: &Connectivity,
    settings: &Settings,
    session: &Session,
) -> Result<(Smoothed, Option<Step>), Failure> {
    let squared_edge = mean_squared_edge_length(mesh, connectivity);
    let lambda_dt = settings.lambda_dt.unwrap_or(squared_edge);
    let kinds = connectivity.kind().iter();
    let free = kinds.filter(|&&kind| kind == VertexKind::Interior).count();
    let mut smoothed = Smoothed {
        vertices: mesh.positions.len(),
        triangles: mesh.triangles.len(),
        free_vertices: free,
        lambda_dt,
        lambda_dt_per_mean_squared_edge: lambda_dt / squared_edge,
        steps: Vec::new(),
    };
    if free == 0 {
        let remedy = if settings.repair {
            ""
        } else {
            ". Vertices in the same position are joined by --repair"
        };
        note(format_args!(
            "no vertex can move: all are on a boundary, or no triangle uses them{remedy}"
        ));
    }
    if free > 0 && settings.steps > 0 {
        let machine = session.machine_for(free / 2)?;
        let lengths = [squared_edge.sqrt(), lambda_dt];
        let mut smoothing = Smoothing::new(&machine, mesh, connectivity, lengths, settings.solver)?;
        let progress = Progress::of_steps(settings.steps.into());
        smoothed.steps.push(Step::start(mesh));
        for number in 1..=settings.steps {
            let step = smoothing.step(number, mesh)?;
            if !step.reason.is_converged() {
                return Ok((smoothed, Some(step)));
            }
            smoothed.steps.push(step);
            progress.step();
        }
    }
    Ok((smoothed, None))
}
