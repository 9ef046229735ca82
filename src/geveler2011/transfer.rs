//! Prolongation as a matrix (geveler2011 §2.3): P_ij = φ_j(ξ_i), the coarse shape function at the
//! node of the fine unknown. Restriction is its transpose, stored separately.
//!
//! Rows have one entry if a fine node coincides with a coarse one, and at most (k + 1)² otherwise. The paper
//! gives P_q the size n^q × n^v; rows are fine unknowns here, columns coarse ones.

use crate::solver::{Csr, CsrError};

use super::space::{Bilinear, Element, Space};

impl Space<'_> {
    /// P from this space to the one of the same element on the refined mesh.
    pub fn prolongation(&self, fine: &Space<'_>) -> Result<Csr<f64>, CsrError> {
        let children = self.children();
        let mut is_known = vec![false; fine.dimension()];
        let mut triplets = Vec::new();
        for cell in 0..self.mesh.cells.len() {
            let coarse = self.unknowns_of(cell);
            for (child, rows) in children.iter().enumerate() {
                for (&i, row) in fine.unknowns_of(4 * cell + child).iter().zip(rows) {
                    // Adjacent cells give the same values for shared nodes.
                    if !std::mem::replace(&mut is_known[i], true) {
                        triplets.extend(row.iter().map(|&(node, value)| (i, coarse[node], value)));
                    }
                }
            }
        }
        Csr::from_triplets(fine.dimension(), self.dimension(), triplets)
    }

    /// For each of a cell's four children and each of its nodes, the coarse shape functions that are
    /// not zero there.
    fn children(&self) -> [Vec<Vec<(usize, f64)>>; 4] {
        // Child k has its corner k in the parent's corner k, then the middle of edge k, the centre
        // and the middle of the edge before.
        let nodes = Element::Q2.nodes();
        let corners = |k: usize| [nodes[k], nodes[4 + k], nodes[8], nodes[4 + (k + 3) % 4]];
        [0, 1, 2, 3].map(|child| {
            let map = Bilinear { corners: corners(child) };
            let row = |&node: &[f64; 2]| {
                let place = map.point(&Element::Q1.shape(node).values);
                // §2.3, Eq. 3: P_ij = φ_j(ξ_i)
                let values = self.element.shape(place).values.into_iter().enumerate();
                values.filter(|(_, value)| *value != 0.0).collect()
            };
            self.element.nodes().iter().map(row).collect()
        })
    }
}

/// Prolongation with empty rows and columns for the unknowns of Dirichlet boundaries of the
/// fine and of the coarse level, where corrections are zero.
pub fn without_known(
    prolongation: &Csr<f64>,
    fine: &[Option<f64>],
    coarse: &[Option<f64>],
) -> Result<Csr<f64>, CsrError> {
    let is_kept = |&(i, j, _): &(usize, usize, f64)| fine[i].is_none() && coarse[j].is_none();
    let kept = prolongation.triplets().filter(is_kept);
    Csr::from_triplets(prolongation.rows(), prolongation.columns(), kept)
}
