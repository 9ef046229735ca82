//! §3 and Fig. 4: geometric flow of meshes, and its matrix.

use std::collections::BTreeMap;

use crate::base::error::BoxedError;
use crate::bolz2003::solves::SMOOTH;
use crate::bolz2003::solves::smooth::Settings;
use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::smoothing::Smoothing;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::mesh::assembly::System;
use crate::mesh::measure::{
    area, bounding_box, enclosed_volume, mean_squared_edge_length, rms_distance_to_cube,
};
use crate::mesh::vector::{cross, dot, norm, subtract, widen};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind, generate};
use crate::picture::mesh::{View, draw};
use crate::picture::png;
use crate::picture::sheet::side_by_side;
use crate::solver::Criteria;
use crate::stream::Machine;

/// Unit roundoff of single precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;
/// Largest distance of an off-diagonal entry from double precision, in units of what single precision cannot avoid,
/// 2⁻²⁴(1 + cot²) for each of its angles. To first order: the rounding of edges, products and sums changes u·v by
/// 5 · 2⁻²⁴|u||v| and u×v by 3√2 · 2⁻²⁴|u||v|; differences, squares, their sum, root and quotient add 4.5 · 2⁻²⁴|cot|;
/// the sum of two angles and the factor λΔt add 2. With |cot| at most half of 1 + cot² these are 5 + 4.3 + 2.3 + 1.
const UNITS: f64 = 13.0;
/// Unit roundoffs for each neighbour of a diagonal entry, which sums two terms per neighbour.
const UNITS_PER_NEIGHBOUR: f64 = 2.0;
/// Entries whose relative difference exceeds this are counted.
const CANCELLED: f64 = 1e-4;

/// Largest number of steps over which all vertices of the cube are judged. Those inside its faces are judged over all.
const ALL_VERTICES: usize = 10;
/// Vertices at least this far from every edge are inside a face.
const MARGIN: f64 = 0.2;

/// Steps of the scan by λΔt = its mean squared edge, and the step shown: later ones remove more than the noise.
const SCAN_STEPS: usize = 10;
const SHOWN: usize = 3;

/// The mesh of a run.
pub(super) fn start(settings: &Settings) -> Result<TriangleMesh, BoxedError> {
    let mut mesh = settings.mesh()?;
    settings.disturb(&mut mesh);
    Ok(mesh)
}

/// Entries of the matrix of geometric flow.
pub static ENTRIES: Study = Study::measuring(
    "bolz2003/entries",
    "Entries of the matrix of geometric flow, compared with double precision",
    Takes::of(&SMOOTH, "paper", "input lambda_dt noise seed"),
    &[
        (
            "units",
            "",
            "largest difference off the diagonal, in rounding errors that cannot be avoided",
        ),
        ("of_bound", "", "largest difference on the diagonal, by its bound"),
        ("relative", "", "largest difference relative to an entry"),
        ("entries", "", "entries"),
        ("cancelled", "", "entries with a relative difference above 1e-4"),
    ],
    measured_entries,
);

fn measured_entries(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let (machine, mesh) = (place.machine, start(&settings)?);
    let connectivity = Connectivity::new(&mesh)?;
    let layout = FlowLayout::new(&connectivity, &PackingOptions::default())?;
    let packing = layout.packing.clone();
    let squared_edge = mean_squared_edge_length(&mesh, &connectivity);
    let lambda_dt = settings.lambda_dt.unwrap_or(squared_edge);
    let flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    flow.compute_entries(lambda_dt)?;
    let matrix = &flow.matrix;
    let (off_diagonal, diagonal) = (matrix.off_diagonal.read()?, matrix.diagonal.read()?);

    // The GPU gets λΔt in single precision; that rounding is not counted as its error.
    let lambda_dt = f64::from(lambda_dt as f32);
    let exact = System::of_flow(&mesh, &connectivity, lambda_dt)?;
    let exact_diagonal = exact.unknowns.iter().zip(exact.matrix.diagonal());
    let exact_diagonal: BTreeMap<_, _> = exact_diagonal.collect();
    let x = &mesh.positions;
    // Differences relative to what single precision cannot avoid, and relative to the entries.
    let [mut units, mut of_bound, mut relative] = [const { Vec::new() }; 3];
    for (vertex, group) in packing.rows() {
        let (mut unit, mut neighbours) = (0.0, 0.0);
        for (c, at) in (0..).zip(connectivity.ring(vertex)) {
            let point = |list: &[u32]| x[list[at] as usize];
            let (x_i, x_j) = (x[vertex], point(connectivity.neighbours()));
            // The angles opposite the edge.
            let opposite = [connectivity.previous(), connectivity.next()].map(point);
            let cotangents = opposite.map(|corner| {
                let (u, v) = (subtract(x_i, corner), subtract(x_j, corner));
                dot(u, v) / norm(cross(u, v))
            });
            let of_angles: f64 = cotangents.iter().map(|c| UNIT * (1.0 + c * c)).sum();
            let exact = -lambda_dt * cotangents.iter().sum::<f64>();
            let found = off_diagonal[packing.entry_index(vertex, group, c)];
            let difference = (f64::from(found) - exact).abs();
            units.push(difference / (lambda_dt * of_angles));
            relative.push(difference / exact.abs());
            // The edges from which the diagonal's program takes a triangle's area.
            let edges = [subtract(x_i, x_j), subtract(opposite[0], x_j)].map(norm);
            unit += lambda_dt * of_angles + UNIT * 2.0 * edges[0] * edges[1];
            neighbours += 1.0;
        }
        let found = f64::from(diagonal[packing.index(packing.texel[vertex])]);
        let difference = (found - exact_diagonal[&vertex]).abs();
        of_bound.push(difference / (unit * (UNITS + UNITS_PER_NEIGHBOUR * neighbours)));
    }
    let mut record = Record::new();
    record.one("entries", (units.len() + of_bound.len()) as f64);
    record.one("cancelled", relative.iter().filter(|&&off| off > CANCELLED).count() as f64);
    for (name, values) in [("units", units), ("of_bound", of_bound), ("relative", relative)] {
        record.one(name, worst(values));
    }
    Ok(record)
}

fn ready(
    machine: &Machine,
    mesh: &TriangleMesh,
    connectivity: &Connectivity,
) -> Result<GeometricFlow, BoxedError> {
    let layout = FlowLayout::new(connectivity, &PackingOptions::default())?;
    Ok(GeometricFlow::new(machine, &mesh.positions, layout)?)
}

/// The mesh at the start and after each step.
fn smooth(
    machine: &Machine,
    connectivity: &Connectivity,
    mut mesh: TriangleMesh,
    settings: &Settings,
) -> Result<Vec<TriangleMesh>, BoxedError> {
    let squared_edge = mean_squared_edge_length(&mesh, connectivity);
    let lengths = [squared_edge.sqrt(), settings.lambda_dt.unwrap_or(squared_edge)];
    let mut smoothing = Smoothing::new(machine, &mesh, connectivity, lengths, settings.solver)?;
    let mut meshes = vec![mesh.clone()];
    for number in 1..=settings.steps {
        let step = smoothing.step(number, &mut mesh)?;
        if !step.reason.is_converged() {
            let what = format!("step {number} ended as {}: allow more with --maxiter", step.reason);
            return Err(what.into());
        }
        meshes.push(mesh.clone());
    }
    Ok(meshes)
}

/// Number of steps in which a value falls.
fn falls(values: &[f64]) -> f64 {
    values.windows(2).filter(|pair| pair[1] < pair[0]).count() as f64
}

/// The cube with noise, smoothed.
pub static CUBE: Study = Study::measuring(
    "bolz2003/cube",
    "A cube with noise, smoothed, and its distance from the true cube",
    Takes::of(&SMOOTH, "fig4-cube", "steps lambda_dt noise seed method rtol atol maxiter rect"),
    &[
        ("faces", "half an edge", "RMS distance inside the faces at the start and after each step"),
        ("all", "half an edge", "RMS distance of all vertices"),
        ("step", "", "steps"),
        ("steps", "", "number of steps"),
        (
            "shown",
            "",
            "steps over which all vertices are judged, and after which the cube is drawn",
        ),
        (
            "falls.{faces|all}",
            "",
            "steps in which the distance falls; of all vertices, until that picture",
        ),
        ("drift", "", "change of the enclosed volume until then, relative to the true cube's"),
    ],
    measured_cube,
);

fn measured_cube(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let (clean, mesh) = (settings.mesh()?, start(&settings)?);
    let connectivity = Connectivity::new(&mesh)?;
    let meshes = smooth(place.machine, &connectivity, mesh, &settings)?;
    let (mut record, steps) = (Record::new(), meshes.len() - 1);
    let faces: Vec<f64> = meshes.iter().map(|mesh| rms_inside_faces(mesh, &clean)).collect();
    let all: Vec<f64> = meshes.iter().map(rms_distance_to_cube).collect();
    let [before, after] = [0, ALL_VERTICES.min(steps)].map(|k| enclosed_volume(&meshes[k]) / 8.0);
    record.one("falls.faces", falls(&faces));
    record.one("falls.all", falls(&all[..=ALL_VERTICES.min(steps)]));
    record.one("drift", (after - before).abs());
    record.one("steps", steps as f64);
    record.one("shown", ALL_VERTICES.min(steps) as f64);
    record.each("step", (0..=steps).map(|step| step as f64));
    record.each("faces", faces);
    record.each("all", all);
    let mut view = View::of(&generate::cube(1), 32.0, 24.0);
    view.radius *= 0.92;
    let shown = ALL_VERTICES.min(steps);
    let after = |step| (format!("after {step} steps"), step);
    let named = [("noisy".to_owned(), 0), after(shown), after(steps)];
    let pictures = named.map(|(name, step)| {
        draw(place.machine, &meshes[step], &view, 500).map(|picture| (name, picture))
    });
    let pictures: Vec<_> = pictures.into_iter().collect::<Result<_, _>>()?;
    let caption = format!(
        "A cube with normal noise, and the same cube after {shown} and {steps} steps: the faces become flat; edges and \
         corners, whose curvature is real, become round."
    );
    record.picture("fig4-cube", caption, side_by_side(&pictures)?);
    Ok(record)
}

/// RMS distance of vertices inside faces from their own face.
fn rms_inside_faces(mesh: &TriangleMesh, clean: &TriangleMesh) -> f64 {
    let distances = mesh.positions.iter().zip(&clean.positions);
    let distances = distances.filter_map(|(now, then)| {
        let inside = |axis: usize| then[axis].abs() <= 1.0 - MARGIN;
        let axis = (0..3).find(|&axis| inside((axis + 1) % 3) && inside((axis + 2) % 3))?;
        Some((now[axis] - then[axis]).powi(2))
    });
    let distances: Vec<f64> = distances.collect();
    (distances.iter().sum::<f64>() / distances.len().max(1) as f64).sqrt()
}

/// The mesh at the start and after each step, and the iterations of each, which solve for the positions as the paper
/// prints it.
fn as_printed(
    machine: &Machine,
    connectivity: &Connectivity,
    mesh: TriangleMesh,
    lambda_dt: f64,
) -> Result<(Vec<TriangleMesh>, Vec<f64>), BoxedError> {
    let mut flow = ready(machine, &mesh, connectivity)?;
    let (mut meshes, mut iterations) = (vec![mesh], Vec::new());
    for step in 1..=SCAN_STEPS {
        let outcome = flow.step(lambda_dt, true, &Criteria::default())?;
        if !outcome.reason.is_converged() {
            return Err(format!("step {step} ended as {}", outcome.reason).into());
        }
        let positions = flow.positions()?.into_iter().map(widen).collect();
        let triangles = meshes[0].triangles.clone();
        meshes.push(TriangleMesh { positions, triangles });
        iterations.push(outcome.iterations as f64);
    }
    Ok((meshes, iterations))
}

/// The scan, smoothed as the paper prints it.
pub static SCANNED: Study = Study::measuring(
    "bolz2003/scan",
    "A mesh with holes, smoothed in ten steps, and one of them compared with double precision",
    Takes::of(&SMOOTH, "paper", "input"),
    &[
        ("iterations", "", "iterations of conjugate gradients in each step"),
        ("steps", "", "number of steps"),
        ("falls", "", "steps in which the area falls"),
        ("loops", "", "boundary loops"),
        ("moved", "", "boundary vertices that moved"),
        (
            "difference.rms",
            "",
            "RMS difference of one step from double precision, relative to the positions",
        ),
        ("difference.largest", "", "largest difference, relative to the bounding box"),
    ],
    scanned,
);

fn scanned(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let settings: Settings = experiment.typed()?;
    let (machine, scan) = (place.machine, settings.mesh()?);
    let connectivity = Connectivity::new(&scan)?;
    let lambda_dt = mean_squared_edge_length(&scan, &connectivity);
    let [of_positions, of_box] = agreement(machine, &scan, &connectivity, lambda_dt)?;
    let (meshes, iterations) = as_printed(machine, &connectivity, scan, lambda_dt)?;
    let areas: Vec<f64> = meshes.iter().map(area).collect();
    let is_moved = |&i: &usize| {
        let bits = |step: usize| meshes[step].positions[i].map(f64::to_bits);
        connectivity.kind()[i] != VertexKind::Interior && bits(0) != bits(SCAN_STEPS)
    };
    let moved = (0..connectivity.vertices()).filter(is_moved).count();
    let mut record = Record::new();
    record.each("iterations", iterations);
    record.one("steps", SCAN_STEPS as f64);
    record.one("falls", falls(&areas));
    record.one("loops", connectivity.boundary_loops().len() as f64);
    record.one("moved", moved as f64);
    record.one("difference.rms", of_positions);
    record.one("difference.largest", of_box);
    show_scan(machine, &mut record, &meshes)?;
    Ok(record)
}

/// Compares one step with double precision, iterated as far as single precision allows: RMS difference relative to the
/// RMS position, and largest difference relative to the diagonal of the bounding box.
fn agreement(
    machine: &Machine,
    scan: &TriangleMesh,
    connectivity: &Connectivity,
    lambda_dt: f64,
) -> Result<[f64; 2], BoxedError> {
    let mut flow = ready(machine, scan, connectivity)?;
    flow.step(lambda_dt, true, &Criteria::to(1e-8))?;
    let positions = flow.positions()?;
    // The reference gets the same λΔt as the GPU: in single precision.
    let system = System::of_flow(scan, connectivity, f64::from(lambda_dt as f32))?;
    let reference = system.solve(scan.positions.clone())?;
    let bounds = bounding_box(scan).ok_or("the scan has no triangles")?;
    let [mut differences, mut sizes] = [const { Vec::new() }; 2];
    for (i, &solved) in reference.iter().enumerate() {
        if connectivity.kind()[i] == VertexKind::Interior {
            differences.push(norm(subtract(widen(positions[i]), solved)));
            sizes.push(norm(subtract(bounds.centre(), solved)));
        }
    }
    let rms = |distances: &[f64]| distances.iter().map(|d| d * d).sum::<f64>().sqrt();
    let of_positions = rms(&differences) / rms(&sizes);
    Ok([of_positions, worst(differences) / bounds.diagonal()])
}

/// Pixels per side of a picture of the scan.
const SIDE: u32 = 1080;

fn show_scan(
    machine: &Machine,
    record: &mut Record,
    meshes: &[TriangleMesh],
) -> Result<(), BoxedError> {
    let mut whole = View::of(&meshes[0], -18.0, 12.0);
    whole.radius *= 0.72;
    let close = View { centre: [-0.055, 0.125, 0.0], radius: 0.035, ..whole };
    let drawn = |view, size| -> Result<_, BoxedError> {
        let picture = |step: usize| draw(machine, &meshes[step], view, size);
        Ok((picture(0)?, picture(SHOWN)?))
    };
    let (before, after) = drawn(&whole, SIDE)?;
    let caption = "The scan: five holes, and the noise of the scanner.";
    record.picture("fig4-scan-before", caption, png(&before)?);
    let caption = "The scan after 3 steps of geometric flow: the noise is gone, the folds of the coat are still there.";
    record.picture("fig4-scan-after", caption, png(&after)?);
    let (before, after) = drawn(&close, SIDE / 2)?;
    let names = ["as scanned".to_owned(), format!("after {SHOWN} steps")];
    let detail: Vec<_> = names.into_iter().zip([before, after]).collect();
    let caption = "The head, before and after smoothing.";
    record.picture("fig4-scan-detail", caption, side_by_side(&detail)?);
    Ok(())
}
