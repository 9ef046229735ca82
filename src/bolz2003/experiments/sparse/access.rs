//! §3.3: what the order of the vertices does to the product.

use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::speed;
use crate::claim::bundled;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::TriangleMesh;
use crate::mesh::generate::torus;
use crate::random::SplitMix64;
use crate::stream::{Format, Machine};
use crate::timing::Effort;
use crate::timing::case::measure;
use crate::timing::cost::all;
use crate::timing::rig::agrees;

const CLAIM: Claim = Claim {
    id: "bolz2003/access",
    class: Class::Shape,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.3",
    statement: "The product falls short of its theoretical rate, because random accesses thrash the cache: so \
                it must depend on the order of the vertices.",
    paper: "120 of over 500/s: 4.2 times as long",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/orders",
    section: "§3.3",
    title: "The product on one mesh in several orders",
    claims: &[CLAIM],
    run,
};

/// By how much random accesses slow the product down in the paper.
const PAPER: f64 = 500.0 / 120.0;
/// Vertices of the mesh whose vectors no cache of ours holds.
const LARGE: usize = 500_000;

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let effort = Effort::of(options.quick);
    let scan = times(machine, &input::scan()?, effort)?;
    let large = match options.quick {
        true => String::new(),
        false => {
            // A product takes tens of milliseconds there.
            let times = times(machine, &torus(LARGE, 1), effort.of_long_runs(7))?;
            format!(" On a torus of {LARGE} vertices: {}.", listed(times))
        }
    };
    let shuffled = scan[3] / scan[0];
    let text = format!("shuffled {shuffled:.2} times as long as along a curve");
    let why = format!(
        "Times of the product by the order of the vertices, along a curve (Morton's) 1: {}. Agreed is what \
         lies within a factor of two of the paper's. The vectors of the scan take 0.6 MB.{large} What \
         else makes the difference to the paper is not isolated.",
        listed(scan),
    );
    Ok(vec![CLAIM.judge(agrees(shuffled, PAPER), text, why)])
}

fn listed([curve, others @ ..]: [f64; 4]) -> String {
    let [sorted, own, shuffled] = others.map(|seconds| seconds / curve);
    format!("sorted along an axis {sorted:.2}, as it came {own:.2}, shuffled {shuffled:.2}")
}

/// Seconds of the product with the vertices along a space-filling curve, sorted along an axis, as they are,
/// and shuffled.
fn times(machine: &Machine, mesh: &TriangleMesh, effort: Effort) -> Result<[f64; 4], BoxedError> {
    let own: Vec<usize> = (0..mesh.positions.len()).collect();
    let mut curve = own.clone();
    let places = places_on_curve(mesh);
    curve.sort_by_key(|&vertex| places[vertex]);
    let mut sorted = own.clone();
    sorted.sort_by(|&a, &b| mesh.positions[a][0].total_cmp(&mesh.positions[b][0]));
    let mut shuffled = own.clone();
    SplitMix64::new(8).shuffle(&mut shuffled);
    let products = [curve, sorted, own, shuffled].map(|order| {
        let mesh = reordered(mesh, &order);
        let product = speed::product(machine, &mesh, &PackingOptions::default(), Format::Rgba32F);
        product.map(|product| product.alone())
    });
    let times = measure(machine, effort, all(products)?)?;
    Ok(times.map(|times| times.kernel))
}

/// The mesh with its vertices in this order.
fn reordered(mesh: &TriangleMesh, order: &[usize]) -> TriangleMesh {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        // Indices of meshes have 32 bits.
        place[old] = new as u32;
    }
    let renumbered = |triangle: &[u32; 3]| triangle.map(|vertex| place[vertex as usize]);
    TriangleMesh {
        positions: order.iter().map(|&old| mesh.positions[old]).collect(),
        triangles: mesh.triangles.iter().map(renumbered).collect(),
    }
}

/// The place of each vertex on Morton's curve, with ten bits a coordinate: those of all three in turns.
fn places_on_curve(mesh: &TriangleMesh) -> Vec<u32> {
    let coordinates = || mesh.positions.iter().flatten().copied();
    let low = coordinates().fold(f32::INFINITY, f32::min);
    let high = coordinates().fold(f32::NEG_INFINITY, f32::max);
    let scale = 1023.0 / (high - low);
    let place = |position: &[f32; 3]| {
        let bits = position.map(|x| ((x - low) * scale) as u32);
        let turn = |k: u32, axis: u32| ((bits[axis as usize] >> k) & 1) << (3 * k + axis);
        (0..30).fold(0, |place, bit| place | turn(bit / 3, bit % 3))
    };
    mesh.positions.iter().map(place).collect()
}
