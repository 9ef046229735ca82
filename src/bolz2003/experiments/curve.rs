//! §3.1.2: a boundary that flows too, such that its length falls.
//!
//! The paper says that this takes a tri-diagonal system of its own, and fixes boundaries. Here a closed
//! curve flows by its curvature: with e the edges to its neighbours, vertex i obeys
//!
//! ```text
//! ½ (|e₋| + |e₊|) dx/dt = (x₊ − x) / |e₊| − (x − x₋) / |e₋|
//! ```
//!
//! the gradient of the length over the length that belongs to the vertex. A step is implicit, with the edges
//! of its start: (M + Δt K) x = M x₀, symmetric, positive definite, and tri-diagonal but for its ends. A
//! regular polygon of radius r stays one, of radius r / (1 + Δt / r²).

use std::f64::consts::TAU;

use libm::{cos, sin};

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::vector::{Vector, norm, subtract};
use crate::random::SplitMix64;
use crate::solver::{
    Criteria, Csr, Lu, Reason, TextureDiagonal, TextureSpace, conjugate_gradients,
};
use crate::stream::{Format, Layout, Machine};

const CLAIM: Claim = Claim {
    id: "bolz2003/curve",
    class: Class::Tolerance,
    variant: Variant::Ours,
    judged_on: JudgedOn::Measurement,
    section: "§3.1.2",
    statement: "Boundaries can flow such that their length falls, by a tri-diagonal system of their own that is \
                solved on the GPU as well.",
    paper: "can be implemented; the examples fix boundaries",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/curve-flow",
    section: "§3.1.2",
    title: "A closed curve under length-minimising flow",
    claims: &[CLAIM],
    run,
};

/// Vertices, steps, and the time of a step for curves of radius 1.
const VERTICES: usize = 120;
const STEPS: usize = 10;
const STEP: f64 = 0.01;
/// An edge is a twentieth of the radius: a rounding of the positions is twenty of it. Ten steps and the
/// solver's tolerance leave this much of the radius.
const TOLERANCE: f64 = 1e-5;

/// A closed curve.
type Curve = Vec<Vector>;

fn run(machine: &mut Machine, _: &Options) -> Result<Vec<Finding>, BoxedError> {
    let angle = |i: usize| TAU * i as f64 / VERTICES as f64;
    let angles = || (0..VERTICES).map(angle);
    let circle: Curve = angles().map(|a| [cos(a), sin(a), 0.0]).collect();
    let mut random = SplitMix64::new(9);
    let ellipse = angles().map(|a| [cos(a), 0.7 * sin(a), 0.2 * sin(3.0 * a)]);
    let noisy: Curve = ellipse
        .map(|point| point.map(|x| x + 0.01 * random.normal()))
        .collect();
    let mut radius: f64 = 1.0;
    let shrunk = flow(machine, circle)?;
    for _ in 0..STEPS {
        radius /= 1.0 + STEP / (radius * radius);
    }
    let last = &shrunk.gpu[STEPS];
    let off = |x: &[f64; 3]| (norm(*x) - radius).abs();
    let exact = worst(last.iter().map(off));

    let wild = flow(machine, noisy)?;
    let lengths: Vec<f64> = wild.gpu.iter().map(length).collect();
    let falls = lengths.is_sorted_by(|a, b| a > b);
    let apart = shrunk.apart.max(wild.apart);
    let measured = format!(
        "length {:.2} → {:.2} in {STEPS} steps, off double precision by {apart:.0e}; a circle's radius off by {exact:.0e}",
        lengths[0], lengths[STEPS],
    );
    let why = format!(
        "{VERTICES} vertices, a noisy curve in space and a regular polygon, whose radius is to be {radius:.4}. The \
         entries are computed on the CPU; at most {} iterations with the diagonal as preconditioner.",
        shrunk.iterations.max(wild.iterations),
    );
    let holds = falls && apart <= TOLERANCE && exact <= TOLERANCE;
    Ok(vec![CLAIM.judge(holds, measured, why)])
}

fn edge(curve: &Curve, i: usize) -> f64 {
    norm(subtract(curve[(i + 1) % curve.len()], curve[i]))
}

fn length(curve: &Curve) -> f64 {
    (0..curve.len()).map(|i| edge(curve, i)).sum()
}

/// M + Δt K and M of a curve.
fn system(curve: &Curve) -> Result<(Csr<f64>, Vec<f64>), BoxedError> {
    let n = curve.len();
    let edges: Vec<f64> = (0..n).map(|i| edge(curve, i)).collect();
    let mass = |i: usize| (edges[i] + edges[(i + n - 1) % n]) / 2.0;
    let entries = (0..n).flat_map(|i| {
        let (next, before) = ((i + 1) % n, (i + n - 1) % n);
        let (after, ahead) = (STEP / edges[i], STEP / edges[before]);
        let diagonal = mass(i) + after + ahead;
        [(i, i, diagonal), (i, next, -after), (i, before, -ahead)]
    });
    let matrix = Csr::from_triplets(n, n, entries)?;
    Ok((matrix, (0..n).map(mass).collect()))
}

/// A flow: the curve on the GPU from step to step, the largest difference to double precision, and the most
/// iterations of a step.
struct Flow {
    gpu: Vec<Curve>,
    apart: f64,
    iterations: usize,
}

fn flow(machine: &Machine, start: Curve) -> Result<Flow, BoxedError> {
    let mut flow = Flow {
        gpu: vec![start.clone()],
        apart: 0.0,
        iterations: 0,
    };
    let mut host = start;
    for step in 0..STEPS {
        let (next, iterations) = step_on_gpu(machine, &flow.gpu[step])?;
        host = step_on_cpu(&host)?;
        let differences = next.iter().flatten().zip(host.iter().flatten());
        let apart = differences.map(|(a, b)| (a - b).abs());
        flow.apart = worst(apart.chain([flow.apart]));
        flow.iterations = flow.iterations.max(iterations);
        flow.gpu.push(next);
    }
    Ok(flow)
}

/// A step in double precision, by the dense factors.
fn step_on_cpu(curve: &Curve) -> Result<Curve, BoxedError> {
    let (matrix, mass) = system(curve)?;
    let right = curve.iter().zip(&mass);
    let right: Vec<f64> = right.flat_map(|(x, m)| x.map(|x| m * x)).collect();
    let solution = Lu::new(curve.len(), matrix.to_dense())?.solve(3, &right);
    Ok(solution.chunks(3).map(|x| [x[0], x[1], x[2]]).collect())
}

/// A step on the GPU, all three coordinates at once, and its iterations.
fn step_on_gpu(machine: &Machine, curve: &Curve) -> Result<(Curve, usize), BoxedError> {
    let (matrix, mass) = system(curve)?;
    let format = Format::Rgba32F;
    let (packing, [images]) = pack([&matrix], &PackingOptions::default())?;
    let gpu = SparseMatrix::upload(machine, &packing, &images, format)?;
    let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
    let diagonal = TextureDiagonal::new(&space, &gpu.diagonal)?;
    let vector = |factor: &dyn Fn(usize) -> f64| {
        let records = curve.iter().enumerate();
        let records: Vec<[f32; 4]> = records
            .map(|(i, &[x, y, z])| [x, y, z, 0.0].map(|x| (factor(i) * x) as f32))
            .collect();
        space.vector(packing.scatter(&records).as_flattened())
    };
    let b = vector(&|i| mass[i])?;
    let mut x = vector(&|_| 1.0)?;
    let criteria = Criteria::to(1e-6);
    let outcome =
        conjugate_gradients(&space, &gpu, Some(&diagonal), &b, &mut x, &criteria, |_| {})?;
    // As far as single precision goes will do: it is the curve that is judged.
    if !outcome.reason.is_converged() && outcome.reason != Reason::Stagnated {
        return Err(format!("the step did not converge: {}", outcome.reason).into());
    }
    let image = x.read()?;
    let records: Vec<[f32; 4]> = (image.chunks(4))
        .map(|x| [x[0], x[1], x[2], x[3]])
        .collect();
    let curve = packing.gather(&records).into_iter();
    let curve = curve.map(|[x, y, z, _]| [x, y, z].map(f64::from));
    Ok((curve.collect(), outcome.iterations))
}
