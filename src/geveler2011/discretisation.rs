//! Matrices, right-hand side and grid transfer of all levels, assembled before a solve
//! (geveler2011 §2, §4).

use std::mem::take;

use crate::solver::{Csr, CsrError};

use super::assembly::{Problem, System};
use super::numbering::{Numbering, renumber_vector};
use super::quad_mesh::QuadMesh;
use super::space::{Element, Space};
use super::transfer::without_known;

/// A problem on all levels, in one numbering. Level 0 is the finest.
pub struct Discretisation {
    /// A of each level.
    pub matrices: Vec<Csr<f64>>,
    /// P from each level's next coarser one to it.
    pub prolongations: Vec<Csr<f64>>,
    /// R = Pᵀ, stored separately.
    pub restrictions: Vec<Csr<f64>>,
    /// b of the finest level.
    pub right_side: Vec<f64>,
    /// The start of a solve: the prescribed boundary values.
    pub start: Vec<f64>,
    /// The number of each of the finest level's unknowns, in their order on the mesh.
    pub numbers: Vec<u32>,
}

impl Discretisation {
    /// Assembles the problem on each of these meshes, the coarsest first, each the refinement of the
    /// previous one.
    pub fn new(
        meshes: &[QuadMesh],
        element: Element,
        problem: &Problem<'_>,
        numbering: Numbering,
    ) -> Result<Self, CsrError> {
        let assembled = Self::assemble(meshes, element, problem)?;
        Ok(match numbering {
            Numbering::TwoLevel => assembled,
            _ => assembled.renumbered(meshes, element, numbering),
        })
    }

    /// Assembles in the order of refinement, which is 2LV.
    fn assemble(
        meshes: &[QuadMesh],
        element: Element,
        problem: &Problem<'_>,
    ) -> Result<Self, CsrError> {
        let spaces = meshes.iter().rev().map(|mesh| Space::new(mesh, element));
        let spaces: Vec<Space<'_>> = spaces.collect();
        let systems = spaces.iter().map(|space| space.assemble(problem));
        let mut systems: Vec<System> = systems.collect::<Result<_, _>>()?;
        let between = spaces.windows(2).zip(systems.windows(2));
        let prolongation = |(spaces, systems): (&[Space<'_>], &[System])| {
            let prolongation = spaces[1].prolongation(&spaces[0])?;
            without_known(&prolongation, &systems[0].known, &systems[1].known)
        };
        let prolongations: Vec<Csr<f64>> = between.map(prolongation).collect::<Result<_, _>>()?;
        let finest = systems.first_mut();
        let vectors = finest.map(|finest| (finest.start(), take(&mut finest.right_side)));
        let (start, right_side) = vectors.unwrap_or_default();
        let matrices = systems.into_iter().map(|system| system.matrix).collect();
        Ok(Self {
            // §2.1, §2.3: R = Pᵀ, stored so that no product needs a transpose
            restrictions: prolongations.iter().map(Csr::transpose).collect(),
            numbers: (0..right_side.len() as u32).collect(),
            matrices,
            prolongations,
            right_side,
            start,
        })
    }

    /// The levels below a matrix, A ← Pᵀ A P from level to level. The first prolongation belongs to
    /// the matrix. An unknown that is not interpolated, such as those of a Dirichlet boundary, keeps a row
    /// with a single 1 on the diagonal.
    pub fn galerkin(
        finest: Csr<f64>,
        prolongations: Vec<Csr<f64>>,
        right_side: Vec<f64>,
    ) -> Result<Self, CsrError> {
        let restrictions: Vec<Csr<f64>> = prolongations.iter().map(Csr::transpose).collect();
        let mut matrices = vec![finest];
        for (r, p) in restrictions.iter().zip(&prolongations) {
            let product = matrices[matrices.len() - 1].triple_product(r, p)?;
            let n = product.rows();
            let unreached = (0..n).filter(|&row| product.row(row).next().is_none());
            let entries = product.triplets().chain(unreached.map(|row| (row, row, 1.0)));
            matrices.push(Csr::from_triplets(n, n, entries)?);
        }
        Ok(Self {
            start: vec![0.0; right_side.len()],
            numbers: (0..right_side.len() as u32).collect(),
            matrices,
            prolongations,
            restrictions,
            right_side,
        })
    }

    /// Renumbers the problem, for one that was assembled on these meshes in 2LV.
    pub fn renumbered(&self, meshes: &[QuadMesh], element: Element, numbering: Numbering) -> Self {
        let finest_first = meshes.iter().rev();
        let numbers: Vec<Vec<u32>> =
            finest_first.map(|mesh| numbering.of(&Space::new(mesh, element))).collect();
        let matrices = self.matrices.iter().zip(&numbers);
        let between = self.prolongations.iter().zip(numbers.windows(2));
        let prolongations: Vec<Csr<f64>> =
            between.map(|(p, levels)| p.permuted(&levels[0], &levels[1])).collect();
        let finest = numbers.first().cloned().unwrap_or_default();
        Self {
            // §2.2: A ← Π A Πᵀ with the permutation Π of each level
            matrices: matrices.map(|(a, n)| a.permuted(n, n)).collect(),
            restrictions: prolongations.iter().map(Csr::transpose).collect(),
            prolongations,
            right_side: renumber_vector(&self.right_side, &finest),
            start: renumber_vector(&self.start, &finest),
            numbers: finest,
        }
    }

    /// Reorders a vector in this numbering to the unknowns' order on the mesh.
    pub fn by_place(&self, x: &[f64]) -> Vec<f64> {
        let at = |&number: &u32| x[number as usize];
        self.numbers.iter().map(at).collect()
    }
}
