//! Matrices, right side and grid transfer of all levels: what is assembled before anything is solved
//! (geveler2011 §2, §4).

use crate::solver::{Csr, CsrError};

use super::super::elements::numbering::{renumber, renumber_vector};
use super::super::elements::transfer::without_known;
use super::super::elements::{Element, Numbering, Problem, Space, System};
use super::super::mesh::QuadMesh;

/// A problem on all levels, in one numbering. Level 0 is the finest.
pub struct Discretisation {
    /// A of each level.
    pub matrices: Vec<Csr<f64>>,
    /// P from each level's next coarser one to it.
    pub prolongations: Vec<Csr<f64>>,
    /// R = Pᵀ, stored on its own.
    pub restrictions: Vec<Csr<f64>>,
    /// b of the finest level.
    pub right_side: Vec<f64>,
    /// What a solve starts from: the boundary's values.
    pub start: Vec<f64>,
    /// The number of each of the finest level's unknowns, by their places on the mesh.
    pub numbers: Vec<u32>,
}

impl Discretisation {
    /// Assembles the problem on each of these meshes, the coarsest first, each the refined one of the
    /// one before.
    ///
    /// # Errors
    /// More unknowns than a sparse matrix can number.
    pub fn new(
        meshes: &[QuadMesh],
        element: Element,
        problem: &Problem<'_>,
        numbering: Numbering,
    ) -> Result<Self, CsrError> {
        let spaces: Vec<Space<'_>> = meshes
            .iter()
            .map(|mesh| Space::new(mesh, element))
            .collect();
        let mut levels: Vec<(System, Vec<u32>)> = Vec::new();
        let (mut prolongations, mut restrictions) = (Vec::new(), Vec::new());
        for (level, space) in spaces.iter().enumerate() {
            let system = space.assemble(problem)?;
            let numbers = numbering.of(space);
            if let Some((coarse, coarse_numbers)) = levels.last() {
                let prolongation = spaces[level - 1].prolongation(space)?;
                let filtered = without_known(&prolongation, &system.known, &coarse.known)?;
                let prolongation = renumber(&filtered, &numbers, coarse_numbers)?;
                restrictions.push(prolongation.transpose());
                prolongations.push(prolongation);
            }
            levels.push((system, numbers));
        }
        let matrix =
            |(system, numbers): &(System, Vec<u32>)| renumber(&system.matrix, numbers, numbers);
        let matrices = levels.iter().rev().map(matrix).collect::<Result<_, _>>()?;
        prolongations.reverse();
        restrictions.reverse();
        let (right_side, start, numbers) = match levels.pop() {
            Some((system, numbers)) => (system.right_side.clone(), system.start(), numbers),
            None => Default::default(),
        };
        Ok(Self {
            matrices,
            prolongations,
            restrictions,
            right_side: renumber_vector(&right_side, &numbers),
            start: renumber_vector(&start, &numbers),
            numbers,
        })
    }

    /// A vector in this numbering, by the unknowns' places on the mesh.
    pub fn by_place(&self, x: &[f64]) -> Vec<f64> {
        self.numbers
            .iter()
            .map(|&number| x[number as usize])
            .collect()
    }
}
