//! §3.1.2: matrix entries computed on the GPU, against double precision: off the diagonal by the
//! same formula, on it by finite elements.
//!
//! The kernel's order of operations leaves nothing to gain here: with the cross product taken from the
//! two shortest edges of each triangle instead of those at the angle, the largest differences are
//! the same, for they come from small scalar products and from cotangents that cancel.

use crate::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::claim::worst;
use crate::claim::{BoxedError, Claim, Class, Experiment, Finding, JudgedOn, Options, Variant};
use crate::mesh::assembly::System;
use crate::mesh::measure::mean_squared_edge_length;
use crate::mesh::vector::{Vector, cross, dot, norm, subtract, widen};
use crate::mesh::{Connectivity, TriangleMesh};
use crate::picture::plot::{Axis, Chart, Series, Style, chart};
use crate::stream::Machine;

const CLAIM: Claim = Claim {
    id: "bolz2003/entries",
    class: Class::Tolerance,
    variant: Variant::Paper,
    judged_on: JudgedOn::Measurement,
    section: "§3.1.2",
    statement: "Off-diagonal and diagonal entries of the matrix of geometric flow are computed by \
                fragment programs from the positions, without the CPU; here: each is off double precision \
                by no more than single precision cannot avoid.",
    paper: "computed on the GPU",
};

/// The experiment.
pub const EXPERIMENT: Experiment<Machine> = Experiment {
    id: "bolz2003/matrix-entries",
    section: "§3.1.2",
    title: "Matrix entries of the scan, against double precision",
    claims: &[CLAIM],
    run,
};

/// How far an off-diagonal entry may be from that in double precision, in units of what single precision
/// cannot avoid, 2⁻²⁴(1 + cot²) for each of its angles. To first order: the rounding of edges, products
/// and sums leaves u·v off by 5 · 2⁻²⁴|u||v| and u×v by 3√2 · 2⁻²⁴|u||v|; differences, squares, their sum,
/// root and quotient add 4.5 · 2⁻²⁴|cot|; the sum of two angles and the factor λΔt add 2. With |cot| at
/// most half of 1 + cot² these are 5 + 4.3 + 2.3 + 1.
const UNITS: f64 = 13.0;
/// A diagonal entry sums two terms for each neighbour, and every sum is rounded.
const UNITS_A_NEIGHBOUR: f64 = 2.0;
/// Entries that are off by more than this of themselves are counted: single precision leaves none of
/// their digits where cotangents cancel.
const OF_ITSELF: f64 = 1e-4;

/// An entry of which both values are known.
#[derive(Clone, Copy)]
struct Entry {
    /// Difference relative to the entry itself.
    relative: f64,
    /// What is left of the cotangents' sizes in their sum: small where they cancel.
    left_over: f64,
    /// What single precision cannot avoid.
    unit: f64,
    /// Difference in these units.
    in_units: f64,
    /// The larger of the two cotangents' sizes.
    steepest: f64,
}

fn run(machine: &mut Machine, options: &Options) -> Result<Vec<Finding>, BoxedError> {
    let mesh = options.given.scan()?;
    let (off_diagonal, diagonal) = differences(machine, &mesh)?;
    let most = |of: fn(&Entry) -> f64| worst(off_diagonal.iter().map(of));
    let (in_units, relative) = (most(|e| e.in_units), most(|e| e.relative));
    let of_bound = worst(diagonal.iter().map(|d| d.of_bound));
    let all = off_diagonal.iter();
    let beyond: Vec<&Entry> = all.filter(|e| e.relative > OF_ITSELF).collect();
    let measured = format!(
        "off the diagonal to {in_units:.1} of {UNITS:.0} roundings, on it to {of_bound:.2} of the bound; {} of \
         {} entries differ by more than 1e-4 of themselves, {relative:.1e} at most",
        beyond.len(),
        off_diagonal.len() + diagonal.len()
    );
    let why = explanation(&off_diagonal, &beyond, in_units);
    let finding = CLAIM.judge(in_units <= UNITS && of_bound <= 1.0, measured, why);
    let off = off_diagonal.iter().map(|e| e.relative).collect();
    let on = diagonal.iter().map(|d| d.relative).collect();
    let picture = chart(&Chart {
        title: "How far matrix entries are from double precision".into(),
        x: Axis::logarithmic("difference, relative to the entry"),
        y: Axis::logarithmic("entries that differ by more"),
        series: vec![
            Series::new("off-diagonal", Style::Line, exceedance(off)),
            Series::new("diagonal", Style::Line, exceedance(on)),
        ],
        marks: vec![(OF_ITSELF, "1e-4".into())],
    })?;
    Ok(vec![finding.with_figure(
        "bolz2003/entries.png",
        "Entries of the scan's matrix by how far the GPU's single precision is from double \
         precision. Diagonal entries, sums of areas above all, agree to 1e-5 without exception. Of \
         the off-diagonal ones nearly all agree to 1e-6; the few at the right are almost zero, because \
         two cotangents cancel or both angles are right.",
        picture,
    )])
}

/// A diagonal entry of which both values are known.
struct OnDiagonal {
    /// Difference relative to the entry.
    relative: f64,
    /// Difference relative to what rounding may leave.
    of_bound: f64,
}

/// Why some entries are off by much of themselves.
fn explanation(all: &[Entry], beyond: &[&Entry], in_units: f64) -> String {
    let Some(worst) = all.iter().max_by(|a, b| a.relative.total_cmp(&b.relative)) else {
        return String::new();
    };
    let (cancelling, others): (Vec<&Entry>, Vec<&Entry>) = beyond
        .iter()
        .partition(|entry| entry.left_over.abs() < 0.01);
    let steepest = others.iter().map(|entry| entry.steepest);
    let of_others = steepest.fold(0.0, f64::max);
    format!(
        "What is off relative to itself is so by single precision, not by the kernel: all {} entries are \
         within {in_units:.1} units of the rounding of edges' products, 2⁻²⁴(1+cot²) for each of the two \
         angles; rounding may add up to {UNITS:.0}, on the diagonal to two more a neighbour. Relative to the entry that is much \
         where the entry is small. In the worst one the cotangents cancel to {:.0e} of their sizes; {} of the \
         {} beyond cancel to less than 1 %. The other {} belong to angles so close to right ones \
         (|cot| up to {of_others:.0e}) that the scalar products cancel.",
        all.len(),
        worst.left_over.abs(),
        cancelling.len(),
        beyond.len(),
        others.len(),
    )
}

/// The off-diagonal entries of a mesh, and the diagonal ones.
fn differences(
    machine: &Machine,
    mesh: &TriangleMesh,
) -> Result<(Vec<Entry>, Vec<OnDiagonal>), BoxedError> {
    let connectivity = Connectivity::new(mesh)?;
    let layout = FlowLayout::new(&connectivity, &PackingOptions::default())?;
    let packing = layout.packing.clone();
    let lambda_dt = mean_squared_edge_length(mesh, &connectivity);
    let flow = GeometricFlow::new(machine, &mesh.positions, layout)?;
    flow.compute_entries(lambda_dt)?;
    let off_diagonal = flow.matrix().off_diagonal.read()?;
    let diagonal = flow.matrix().diagonal.read()?;

    // The GPU is given λΔt in single precision, which is no error of its own.
    let lambda_dt = f64::from(lambda_dt as f32);
    let exact = System::of_flow(mesh, &connectivity, lambda_dt)?;
    let mut diagonal_of = vec![0.0; mesh.positions.len()];
    for (row, &vertex) in exact.unknowns.iter().enumerate() {
        diagonal_of[vertex] = exact.matrix.get(row, row);
    }
    let x: Vec<Vector> = mesh.positions.iter().copied().map(widen).collect();
    let (mut all, mut on_diagonal) = (Vec::new(), Vec::new());
    for (vertex, group) in packing.rows() {
        let (mut unit, mut neighbours) = (0.0, 0.0);
        for (c, at) in (0..).zip(connectivity.ring(vertex)) {
            let place = packing.entry_index(vertex, group, c);
            let found = f64::from(off_diagonal[place]);
            let entry = entry(found, lambda_dt, angles(&connectivity, &x, vertex, at));
            let edges = area_edges(&connectivity, &x, vertex, at);
            unit += entry.unit + UNIT * 2.0 * norm(edges[0]) * norm(edges[1]);
            neighbours += 1.0;
            all.push(entry);
        }
        let found = f64::from(diagonal[packing.index(packing.texel[vertex])]);
        let difference = (found - diagonal_of[vertex]).abs();
        on_diagonal.push(OnDiagonal {
            relative: difference / diagonal_of[vertex],
            of_bound: difference / (unit * (UNITS + UNITS_A_NEIGHBOUR * neighbours)),
        });
    }
    Ok((all, on_diagonal))
}

/// The edges of which the diagonal's program takes a triangle's area, both from the neighbour at this
/// place of a vertex's ring.
fn area_edges(connectivity: &Connectivity, x: &[Vector], vertex: usize, at: usize) -> [Vector; 2] {
    let [x_j, x_jp] =
        [connectivity.neighbours(), connectivity.previous()].map(|list| x[list[at] as usize]);
    [subtract(x[vertex], x_j), subtract(x_jp, x_j)]
}

/// The cotangents of the two angles opposite an edge: that from a vertex to the neighbour at this place
/// of its ring.
fn angles(connectivity: &Connectivity, x: &[Vector], vertex: usize, at: usize) -> [f64; 2] {
    let point = |neighbours: &[u32]| x[neighbours[at] as usize];
    let (x_i, x_j) = (x[vertex], point(connectivity.neighbours()));
    let opposite = [connectivity.previous(), connectivity.next()].map(point);
    opposite.map(|corner| {
        let (u, v) = (subtract(x_i, corner), subtract(x_j, corner));
        dot(u, v) / norm(cross(u, v))
    })
}

/// The rounding of single precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// a_ij = −λΔt (cot α_ij + cot β_ij), and how far what was found is from it.
fn entry(found: f64, lambda_dt: f64, cotangents: [f64; 2]) -> Entry {
    let exact = -lambda_dt * cotangents.iter().sum::<f64>();
    let difference = (found - exact).abs();
    let sizes: f64 = cotangents.iter().map(|c| c.abs()).sum();
    let unit: f64 = cotangents.iter().map(|c| UNIT * (1.0 + c * c)).sum();
    Entry {
        relative: difference / exact.abs(),
        left_over: cotangents.iter().sum::<f64>() / sizes,
        unit: lambda_dt * unit,
        in_units: difference / (lambda_dt * unit),
        steepest: cotangents.iter().map(|c| c.abs()).fold(0.0, f64::max),
    }
}

/// For a curve: how many of the values are at least as large as each of some of them.
fn exceedance(mut values: Vec<f64>) -> Vec<(f64, f64)> {
    values.retain(|value| *value > 0.0);
    values.sort_by(|a, b| b.total_cmp(a));
    // Every one of the largest, then ever fewer of the rest.
    let mut ranks = Vec::new();
    let mut rank = 1;
    while rank <= values.len() {
        ranks.push(rank);
        rank += 1 + rank / 20;
    }
    let points = ranks.into_iter().rev();
    points.map(|rank| (values[rank - 1], rank as f64)).collect()
}
