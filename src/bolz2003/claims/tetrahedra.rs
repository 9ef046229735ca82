//! §5: conjugate gradients on a tetrahedral mesh, which the paper calls a straightforward extension.

use crate::bolz2003::sparse::matrix::pack;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::sparse::spmv::SparseMatrix;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, worst};
use crate::mesh::vector::{Vector, cross, dot, subtract};
use crate::random::SplitMix64;
use crate::solver::{Criteria, Csr, TextureDiagonal, TextureSpace, conjugate_gradients};
use crate::stream::{Format, Layout};

/// Largest displacement of an inner vertex along an axis, in cells.
const JITTER: f64 = 0.15;
/// Largest error of the solution, whose values are −1 to 5.
const ERROR: f64 = 1e-4;

/// The ways through a cell from its first to its last corner, one tetrahedron each, by the axes taken.
const PATHS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// A cube of n³ cells, each cut into six tetrahedra, with displaced inner vertices.
struct Mesh {
    vertices: Vec<Vector>,
    is_inner: Vec<bool>,
    tetrahedra: Vec<[usize; 4]>,
}

impl Mesh {
    fn new(n: usize) -> Self {
        let (side, mut random) = (n + 1, SplitMix64::new(5));
        let steps = [1, side, side * side];
        let node = |place: usize| steps.map(|step| place / step % side);
        let all = 0..side.pow(3);
        let is_inner = all
            .clone()
            .map(|place| node(place).iter().all(|&k| k > 0 && k < n));
        let is_inner: Vec<bool> = is_inner.collect();
        let moved = |place: usize| {
            let reach = if is_inner[place] { JITTER } else { 0.0 };
            node(place).map(|k| (k as f64 + reach * random.signed()) / n as f64)
        };
        let cells = all
            .clone()
            .filter(|&place| node(place).iter().all(|&k| k < n));
        let tetrahedra = cells.flat_map(|first| {
            PATHS.map(|[x, y, _]| {
                let (second, third) = (first + steps[x], first + steps[x] + steps[y]);
                [first, second, third, first + steps.iter().sum::<usize>()]
            })
        });
        let tetrahedra = tetrahedra.collect();
        Self {
            vertices: all.map(moved).collect(),
            is_inner,
            tetrahedra,
        }
    }

    /// The entries ∫ ∇λ_a · ∇λ_b of the Laplacian with linear elements, at all vertices.
    fn laplacian(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.tetrahedra.iter().flat_map(|corners| {
            let [e1, e2, e3] =
                [1, 2, 3].map(|k| subtract(self.vertices[corners[k]], self.vertices[corners[0]]));
            let normals = [cross(e2, e3), cross(e3, e1), cross(e1, e2)];
            let six_volumes = dot(e1, normals[0]);
            let first = [0, 1, 2].map(|axis| -normals.iter().map(|n| n[axis]).sum::<f64>());
            let gradients = [first, normals[0], normals[1], normals[2]];
            (0..16).map(move |k| {
                let (a, b) = (k / 4, k % 4);
                let entry = dot(gradients[a], gradients[b]) / (6.0 * six_volumes.abs());
                (corners[a], corners[b], entry)
            })
        })
    }
}

/// A linear function: linear elements represent it, so it is the solution exactly.
fn solution([x, y, z]: Vector) -> f64 {
    2.0 * x - y + 3.0 * z
}

/// `tetrahedra`
pub fn tetrahedra(run: &mut Run<'_>, _: &Claim) -> Checked {
    let mesh = Mesh::new(run.pick(8, 24));
    let inner = (0..mesh.vertices.len()).filter(|&vertex| mesh.is_inner[vertex]);
    let inner: Vec<usize> = inner.collect();
    let mut row_of = vec![None; mesh.vertices.len()];
    inner
        .iter()
        .enumerate()
        .for_each(|(row, &vertex)| row_of[vertex] = Some(row));
    let (mut entries, mut b) = (Vec::new(), vec![0.0; inner.len()]);
    for (i, j, entry) in mesh.laplacian() {
        match (row_of[i], row_of[j]) {
            (Some(row), Some(column)) => entries.push((row, column, entry)),
            (Some(row), None) => b[row] -= entry * solution(mesh.vertices[j]),
            (None, _) => (),
        }
    }
    let matrix = Csr::from_triplets(inner.len(), inner.len(), entries)?;
    let (x, iterations) = solve(run, &matrix, &b)?;
    let errors = inner.iter().zip(&x);
    let errors = errors.map(|(&i, &x)| (f64::from(x) - solution(mesh.vertices[i])).abs());
    let neighbours = (0..inner.len()).map(|row| matrix.row(row).count() - 1);
    Ok(Found::new()
        .at_most(
            "largest difference from the solution, which is linear",
            worst(errors),
            ERROR,
        )
        .shows("tetrahedra", mesh.tetrahedra.len() as f64)
        .shows("unknowns", inner.len() as f64)
        .shows(
            "neighbours of an unknown, at most",
            neighbours.max().unwrap_or(0) as f64,
        )
        .shows("iterations", iterations as f64))
}

/// The solution by conjugate gradients with the diagonal as preconditioner, and their number.
fn solve(run: &Run<'_>, matrix: &Csr<f64>, b: &[f64]) -> Result<(Vec<f32>, usize), BoxedError> {
    let (machine, format) = (run.machine, Format::R32F);
    let (packing, [images]) = pack([matrix], &PackingOptions::default())?;
    let gpu = SparseMatrix::upload(machine, &packing, &images, format)?;
    let space = TextureSpace::new(machine, Layout::grid(packing.size, format))?;
    let diagonal = TextureDiagonal::new(&space, &gpu.diagonal)?;
    let b: Vec<f32> = b.iter().map(|&b| b as f32).collect();
    let (b, mut x) = (space.vector(&packing.scatter(&b))?, space.zeros()?);
    let criteria = Criteria::to(1e-6);
    let outcome =
        conjugate_gradients(&space, &gpu, Some(&diagonal), &b, &mut x, &criteria, |_| {})?;
    Ok((packing.gather(&x.read()?), outcome.iterations))
}
