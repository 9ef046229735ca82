//! Fig. 4, bottom: a scanned mesh with complicated boundaries is denoised by geometric flow.

use std::ops::RangeInclusive;

use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::measure::{area, bounding_box, mean_squared_edge_length};
use crate::mesh::vector::{Vector, norm, subtract, widen};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::picture::mesh::{View, draw};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::picture::sheet::side_by_side;
use crate::solver::Criteria;
use crate::stream::Machine;

use crate::bolz2003::experiments::sparse::reference;

use super::{flow, smooth};

const CLAIM: Claim = Claim {
    id: "bolz2003/fig4-scan",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "Fig. 4, §3.3",
    statement: "A scanned mesh with complicated boundaries, contaminated with noise, is denoised by \
                geometric flow with fixed boundaries; a step takes only a few iterations of conjugate \
                gradients, such as five.",
    paper: "denoised (a picture), about 5 iterations a step",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/scan",
    section: "Fig. 4",
    title: "A scanned mesh is denoised",
    claims: &[CLAIM],
    run,
};

/// λΔt in units of the mean squared edge.
const STEP: f64 = 1.0;
/// Steps that are done and judged.
const STEPS: usize = 10;
/// Steps after which the picture is taken: after more, the noise is not the only thing that is gone.
const SHOWN: usize = 3;
/// Boundary loops of the scan: its holes.
const LOOPS: usize = 5;
/// Iterations that count as “about five”.
const ITERATIONS: RangeInclusive<f64> = 3.0..=8.0;
/// How far a step may be from double precision, relative to the positions (RMS over RMS, from the
/// middle of the scan).
const AGREEMENT: f64 = 1e-4;
/// Where the scan is looked at from.
const AZIMUTH: f64 = -18.0;
const ELEVATION: f64 = 12.0;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let scan = options.given.scan()?;
    let connectivity = Connectivity::new(&scan)?;
    let lambda_dt = STEP * mean_squared_edge_length(&scan, &connectivity);
    let agreement = Agreement::of_a_step(machine, &scan, &connectivity, lambda_dt)?;
    let (meshes, iterations) = smooth(machine, &connectivity, scan, lambda_dt, STEPS)?;
    let areas: Vec<f64> = meshes.iter().map(area).collect();
    let finding = judge(&connectivity, &meshes, &areas, &iterations, &agreement);
    let size = if options.quick { 720 } else { 1080 };
    with_pictures(machine, finding, &meshes, &areas, size)
}

/// How far the GPU's step is from the reference in double precision.
struct Agreement {
    /// RMS difference over RMS position, from the middle of the scan.
    of_positions: f64,
    /// RMS difference over RMS displacement.
    of_displacement: f64,
    /// The same for the reference itself, rounded to single precision.
    of_rounding: f64,
    /// Largest difference of a vertex over the diagonal of the bounding box.
    largest: f64,
}

impl Agreement {
    /// One step, iterated as far as single precision goes.
    fn of_a_step(
        machine: &Machine,
        scan: &TriangleMesh,
        connectivity: &Connectivity,
        lambda_dt: f64,
    ) -> Result<Self, BoxedError> {
        let mut flow = flow(machine, scan, connectivity)?;
        flow.step(lambda_dt, true, &Criteria::to(1e-8))?;
        // The reference gets the λΔt that the GPU gets: single precision.
        let reference = reference::step(scan, connectivity, f64::from(lambda_dt as f32))?;
        let bounds = bounding_box(scan).ok_or("the scan has no triangles")?;
        let middle = bounds.centre();

        let positions = flow.positions()?;
        let kinds = connectivity.kind().iter().enumerate();
        let moved = kinds.filter_map(|(i, kind)| (*kind == VertexKind::Interior).then_some(i));
        // Distances of the vertices that may move from where the reference has them.
        let distances = |from: &dyn Fn(usize) -> Vector| -> Vec<f64> {
            let moved = moved.clone();
            moved
                .map(|i| norm(subtract(from(i), reference[i])))
                .collect()
        };
        let rms = |distances: &[f64]| distances.iter().map(|d| d * d).sum::<f64>().sqrt();
        let differences = distances(&|i| widen(positions[i]));
        let displacement = rms(&distances(&|i| widen(scan.positions[i])));
        let rounded = distances(&|i| widen(reference[i].map(|c| c as f32)));
        Ok(Agreement {
            of_positions: rms(&differences) / rms(&distances(&|_| middle)),
            of_displacement: rms(&differences) / displacement,
            of_rounding: rms(&rounded) / displacement,
            largest: worst(differences) / bounds.diagonal(),
        })
    }
}

/// Judges the meshes from step to step, their areas, and the iterations of the steps.
fn judge(
    connectivity: &Connectivity,
    meshes: &[TriangleMesh],
    areas: &[f64],
    iterations: &[usize],
    agreement: &Agreement,
) -> Finding {
    let falls = areas.is_sorted_by(|a, b| a > b);
    let bits = |step: usize, i: usize| meshes[step].positions[i].map(f32::to_bits);
    let fixed = (0..connectivity.vertices())
        .filter(|&i| connectivity.kind()[i] != VertexKind::Interior)
        .all(|i| bits(0, i) == bits(STEPS, i));
    let loops = connectivity.boundary_loops().len();
    let least = iterations.iter().min().unwrap_or(&0);
    let most = iterations.iter().max().unwrap_or(&0);
    let iterations = iterations.iter().sum::<usize>() as f64 / STEPS as f64;
    let measured = format!(
        "{least} to {most} iterations a step, area {:+.1} % in {STEPS} steps, off double precision by {:.0e}",
        100.0 * (areas[STEPS] / areas[0] - 1.0),
        agreement.of_positions,
    );
    let says = |holds: bool, yes: &str, no: &str| if holds { yes } else { no }.to_owned();
    let why = format!(
        "{loops} boundary loops, whose vertices {}; the area {}. λΔt is the mean squared edge, \
         conjugate gradients with the diagonal preconditioner stop at 1e-5, after {iterations:.1} iterations on average. A step against double \
         precision (assembled by elements): {:.0e} of the positions (RMS), {:.0e} of the bounding box at the \
         worst vertex, and {:.0e} of the displacement, of which {:.0e} is what storing positions in single \
         precision costs.",
        says(fixed, "keep their bits", "have moved"),
        says(falls, "falls in every step", "does not fall in every step"),
        agreement.of_positions,
        agreement.largest,
        agreement.of_displacement,
        agreement.of_rounding,
    );
    let agrees = agreement.of_positions < AGREEMENT && agreement.largest < AGREEMENT;
    let is_as_claimed = falls && fixed && loops == LOOPS && ITERATIONS.contains(&iterations);
    CLAIM.judge(is_as_claimed && agrees, measured, why)
}

fn with_pictures(
    machine: &Machine,
    finding: Finding,
    meshes: &[TriangleMesh],
    areas: &[f64],
    size: u32,
) -> Result<Vec<Finding>, BoxedError> {
    let (scan, shown) = (&meshes[0], &meshes[SHOWN]);
    let mut whole = View::of(scan, AZIMUTH, ELEVATION);
    whole.radius *= 0.72;
    let close = View {
        centre: [-0.055, 0.125, 0.0],
        radius: 0.035,
        ..whole
    };
    let close_up = |mesh| draw(machine, mesh, &close, size / 2);
    let detail = side_by_side(&[
        ("as scanned".to_owned(), close_up(scan)?),
        (format!("after {SHOWN} steps"), close_up(shown)?),
    ])?;
    let shares = areas.iter().map(|area| area / areas[0]).enumerate();
    let curve = chart(&Chart {
        title: "The scan's area falls in every step".into(),
        x: Axis::linear("step"),
        y: Axis::linear("area (at the start = 1)"),
        series: vec![Series::new(
            "",
            Style::LinePoints,
            shares.map(|(step, share)| (step as f64, share)),
        )],
        marks: vec![(SHOWN as f64, "picture".into())],
    })?;
    let vertices = scan.positions.len();
    Ok(vec![
        finding
            .with_image(
                "bolz2003/fig4-scan-before.png",
                format!("The scan: {vertices} vertices, five holes, noise of the scanner."),
                &draw(machine, scan, &whole, size)?,
            )?
            .with_image(
                "bolz2003/fig4-scan-after.png",
                format!(
                    "The same after {SHOWN} steps of geometric flow on the GPU, λΔt = mean squared edge. \
                     The noise is gone, the folds of the coat are still there."
                ),
                &draw(machine, shown, &whole, size)?,
            )?
            .with_figure(
                "bolz2003/fig4-scan-detail.png",
                "The head, before and after.",
                detail,
            )
            .with_figure(
                "bolz2003/fig4-scan-area.png",
                "Mean curvature flow lowers the area as fast as it can: first the noise, then ever \
                 more slowly what is larger.",
                curve,
            ),
    ])
}
