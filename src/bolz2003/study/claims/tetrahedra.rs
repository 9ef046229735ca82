//! §5: conjugate gradients on a tetrahedral mesh, which the paper calls a straightforward extension.

use crate::base::error::BoxedError;
use crate::base::random::SplitMix64;
use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::claim::worst;
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::mesh::vector::{Vector, cross, dot, subtract};
use crate::solver::{Criteria, Csr, TextureDiagonal, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Layout, Machine};

use super::works::Settings;

/// Largest displacement of an inner vertex along an axis, in cells.
const JITTER: f64 = 0.15;
/// The ways through a cell from its first to its last corner, one tetrahedron each, by the first two axes taken.
const PATHS: [[usize; 2]; 6] = [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]];

/// The entries ∫ ∇λ_a · ∇λ_b of the Laplacian on a tetrahedron.
fn laplacian(corners: [Vector; 4]) -> [[f64; 4]; 4] {
    let [e1, e2, e3] = [1, 2, 3].map(|k| subtract(corners[k], corners[0]));
    let normals = [cross(e2, e3), cross(e3, e1), cross(e1, e2)];
    let six_volumes = dot(e1, normals[0]).abs();
    let first = [0, 1, 2].map(|axis| -normals.iter().map(|n| n[axis]).sum::<f64>());
    let gradients = [first, normals[0], normals[1], normals[2]];
    gradients.map(|a| gradients.map(|b| dot(a, b) / (6.0 * six_volumes)))
}

/// A linear function: linear elements represent it, so it is the solution exactly.
fn solution([x, y, z]: Vector) -> f64 {
    2.0 * x - y + 3.0 * z
}

/// A cube of n³ cells, each cut into six tetrahedra, with displaced inner vertices and prescribed outer ones.
pub static TETRAHEDRA: Study = Study::measuring(
    "bolz2003/tetrahedra",
    "Laplace's equation on a cube of tetrahedra, solved by conjugate gradients, compared with its linear solution",
    Takes::some::<Settings>("cells"),
    &[
        ("error", "", "largest difference from the solution, whose values are −1 to 5"),
        ("unknowns", "", "unknowns"),
    ],
    measured,
);

fn measured(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let Settings { cells: n, .. } = experiment.typed()?;
    let (side, mut random) = (n + 1, SplitMix64::new(5));
    let (steps, all) = ([1, side, side * side], 0..side.pow(3));
    let node = |vertex: usize| steps.map(|step| vertex / step % side);
    let is_inner = |&vertex: &usize| node(vertex).iter().all(|&k| k > 0 && k < n);
    let inner: Vec<usize> = all.clone().filter(is_inner).collect();
    let moved = |vertex: usize| {
        let reach = if is_inner(&vertex) { JITTER } else { 0.0 };
        node(vertex).map(|k| (k as f64 + reach * random.signed()) / n as f64)
    };
    let vertices: Vec<Vector> = all.clone().map(moved).collect();
    let cells = all.filter(|&vertex| node(vertex).iter().all(|&k| k < n));
    let tetrahedra = cells.flat_map(|first| {
        PATHS.map(|[x, y]| {
            let second = first + steps[x];
            [first, second, second + steps[y], first + steps.iter().sum::<usize>()]
        })
    });
    let row_of = |vertex: usize| inner.binary_search(&vertex);
    let (mut entries, mut b) = (Vec::new(), vec![0.0; inner.len()]);
    for corners in tetrahedra {
        let element = laplacian(corners.map(|vertex| vertices[vertex]));
        for (i, row) in corners.into_iter().zip(element) {
            let Ok(at) = row_of(i) else { continue };
            for (j, entry) in corners.into_iter().zip(row) {
                match row_of(j) {
                    Ok(column) => entries.push((at, column, entry)),
                    Err(_) => b[at] -= entry * solution(vertices[j]),
                }
            }
        }
    }
    let x = solve(place.machine, &Csr::from_triplets(inner.len(), inner.len(), entries)?, &b)?;
    let errors = inner.iter().zip(&x);
    let errors = errors.map(|(&i, &x)| (f64::from(x) - solution(vertices[i])).abs());
    let mut record = Record::new();
    record.one("error", worst(errors));
    record.one("unknowns", inner.len() as f64);
    Ok(record)
}

/// The solution by conjugate gradients with the diagonal as preconditioner.
fn solve(machine: &Machine, matrix: &Csr<f64>, b: &[f64]) -> Result<Vec<f32>, BoxedError> {
    let format = Format::R32F;
    let (packing, [images]) = pack([matrix], &PackingOptions::default())?;
    let gpu = SparseMatrix::upload(machine, &packing, &images, format)?;
    let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
    let diagonal = TextureDiagonal::new(&space, &gpu.diagonal)?;
    let b: Vec<f32> = b.iter().map(|&b| b as f32).collect();
    let (b, mut x) = (space.vector(&packing.scatter(&b))?, space.zeros()?);
    let (inverse, criteria) = (Some(&diagonal as _), Criteria::to(1e-6));
    conjugate_gradients(&space, &gpu, inverse, &b, &mut x, &criteria, |_| {})?;
    Ok(packing.gather(&x.read()?))
}
