//! Fig. 4, bottom: a scanned mesh with complicated boundaries is denoised by geometric flow.

use std::ops::RangeInclusive;

use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::measure::{area, bounding_box, mean_squared_edge_length};
use crate::mesh::vector::{norm, subtract, widen};
use crate::mesh::{Connectivity, TriangleMesh, VertexKind};
use crate::picture::mesh::{View, draw};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::picture::png;
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
    let size = if options.quick { 720 } else { 1080 };

    let agreement = Agreement::of_a_step(machine, &scan, &connectivity, lambda_dt)?;
    let smoothing = Smoothing::run(machine, &scan, &connectivity, lambda_dt)?;
    let finding = judge(&scan, &connectivity, &smoothing, &agreement);
    with_pictures(machine, finding, &scan, &smoothing, size)
}

/// What several steps did.
struct Smoothing {
    /// The mesh after all of them.
    mesh: TriangleMesh,
    /// The mesh after [`SHOWN`] steps.
    shown: TriangleMesh,
    /// Area at the start and after each step.
    areas: Vec<f64>,
    /// Iterations of each step.
    iterations: Vec<usize>,
}

impl Smoothing {
    fn run(
        machine: &Machine,
        scan: &TriangleMesh,
        connectivity: &Connectivity,
        lambda_dt: f64,
    ) -> Result<Self, BoxedError> {
        let mut smoothing = Smoothing {
            mesh: scan.clone(),
            shown: scan.clone(),
            areas: vec![area(scan)],
            iterations: Vec::new(),
        };
        let (on, start) = ((machine, connectivity), scan.clone());
        smooth(on, start, lambda_dt, STEPS, |mesh, step, iterations| {
            smoothing.iterations.push(iterations);
            smoothing.areas.push(area(mesh));
            smoothing.mesh = mesh.clone();
            if step == SHOWN {
                smoothing.shown = mesh.clone();
            }
        })?;
        Ok(smoothing)
    }

    fn mean_iterations(&self) -> f64 {
        self.iterations.iter().sum::<usize>() as f64 / self.iterations.len().max(1) as f64
    }
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
        let criteria = Criteria {
            rtol: 1e-8,
            ..Criteria::default()
        };
        let mut flow = flow(machine, scan, connectivity)?;
        flow.step(lambda_dt, true, &criteria)?;
        // The reference gets the λΔt that the GPU gets: single precision.
        let reference = reference::step(scan, connectivity, f64::from(lambda_dt as f32))?;
        let bounds = bounding_box(scan).ok_or("the scan has no triangles")?;
        let middle = bounds.centre();

        let moved = |i: &usize| connectivity.kind()[*i] == VertexKind::Interior;
        let distance = |a, b| norm(subtract(a, b));
        let positions = flow.positions()?;
        let rms = |distance: &dyn Fn(usize) -> f64| {
            let moved = (0..reference.len()).filter(moved);
            moved.map(|i| distance(i).powi(2)).sum::<f64>().sqrt()
        };
        let difference = |i: usize| distance(widen(positions[i]), reference[i]);
        let rounded = |i: usize| distance(widen(reference[i].map(|c| c as f32)), reference[i]);
        let displacement = rms(&|i| distance(widen(scan.positions[i]), reference[i]));
        let differences = (0..reference.len()).filter(moved).map(difference);
        Ok(Agreement {
            of_positions: rms(&difference) / rms(&|i| distance(reference[i], middle)),
            of_displacement: rms(&difference) / displacement,
            of_rounding: rms(&rounded) / displacement,
            largest: worst(differences) / bounds.diagonal(),
        })
    }
}

fn judge(
    scan: &TriangleMesh,
    connectivity: &Connectivity,
    smoothing: &Smoothing,
    agreement: &Agreement,
) -> Finding {
    let falls = smoothing.areas.is_sorted_by(|a, b| a > b);
    let fixed = (0..connectivity.vertices())
        .filter(|&i| connectivity.kind()[i] != VertexKind::Interior)
        .all(|i| {
            let bits = |mesh: &TriangleMesh| mesh.positions[i].map(f32::to_bits);
            bits(scan) == bits(&smoothing.mesh)
        });
    let loops = connectivity.boundary_loops().len();
    let iterations = smoothing.mean_iterations();
    let least = smoothing.iterations.iter().min().unwrap_or(&0);
    let most = smoothing.iterations.iter().max().unwrap_or(&0);
    let shares = smoothing.areas.last().zip(smoothing.areas.first());
    let area = shares.map_or(1.0, |(last, first)| last / first);
    let measured = format!(
        "{least} to {most} iterations a step, area {:+.1} % in {} steps, off double precision by {:.0e}",
        100.0 * (area - 1.0),
        smoothing.iterations.len(),
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
    scan: &TriangleMesh,
    smoothing: &Smoothing,
    size: u32,
) -> Result<Vec<Finding>, BoxedError> {
    let whole = View::of(scan, AZIMUTH, ELEVATION);
    let whole = View {
        radius: 0.72 * whole.radius,
        ..whole
    };
    let before = png(&draw(machine, scan, &whole, size)?)?;
    let after = png(&draw(machine, &smoothing.shown, &whole, size)?)?;
    let close = View {
        centre: [-0.055, 0.125, 0.0],
        radius: 0.035,
        ..whole
    };
    let close_up = |mesh| draw(machine, mesh, &close, size / 2);
    let detail = side_by_side(&[
        ("as scanned".to_owned(), close_up(scan)?),
        (format!("after {SHOWN} steps"), close_up(&smoothing.shown)?),
    ])?;
    let areas = smoothing.areas.iter().enumerate();
    let curve = chart(&Chart {
        title: "The scan's area falls in every step".into(),
        x: Axis::linear("step"),
        y: Axis::linear("area (at the start = 1)"),
        series: vec![Series::new(
            "",
            Style::LinePoints,
            areas.map(|(step, area)| (step as f64, area / smoothing.areas[0])),
        )],
        marks: vec![(SHOWN as f64, "picture".into())],
    })?;
    let vertices = scan.positions.len();
    Ok(vec![
        finding
            .with_figure(
                "bolz2003/fig4-scan-before.png",
                format!("The scan: {vertices} vertices, five holes, noise of the scanner."),
                before,
            )
            .with_figure(
                "bolz2003/fig4-scan-after.png",
                format!(
                    "The same after {SHOWN} steps of geometric flow on the GPU, λΔt = mean squared edge. \
                     The noise is gone, the folds of the coat are still there."
                ),
                after,
            )
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
