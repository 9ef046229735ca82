//! The five numberings of unknowns (geveler2011 §2.2), which determine the access pattern to x in a product.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::order::ShortSort;
use crate::base::random::SplitMix64;

use super::space::Space;

/// An order of the unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Numbering {
    /// In the order of refinement: coarse vertices, then midpoints of edges, then of cells
    #[serde(rename = "2lv")]
    TwoLevel,
    /// Cuthill and McKee's: breadth-first over neighbours
    #[serde(rename = "cm")]
    CuthillMcKee,
    /// Sorted by x, then y
    Xyz,
    /// Random, from a seed
    #[serde(rename = "sto")]
    Stochastic,
    /// Depth-first over coarse cells and their children
    #[serde(rename = "hie")]
    Hierarchical,
}

/// The seed of [`Numbering::Stochastic`].
const SEED: u64 = 2011;

impl Numbering {
    /// All five, in the order of the paper's tables.
    pub const ALL: [Self; 5] =
        [Self::TwoLevel, Self::CuthillMcKee, Self::Xyz, Self::Stochastic, Self::Hierarchical];

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TwoLevel => "2LV",
            Self::CuthillMcKee => "CM",
            Self::Xyz => "XYZ",
            Self::Stochastic => "STO",
            Self::Hierarchical => "HIE",
        }
    }

    /// The number of each unknown of the space.
    pub fn of(self, space: &Space<'_>) -> Vec<u32> {
        let n = space.dimension();
        let order: Vec<u32> = match self {
            // §2.2, 2LV: as on the coarser mesh, then the new unknowns
            Self::TwoLevel => (0..n as u32).collect(),
            Self::CuthillMcKee => cuthill_mckee(space),
            Self::Xyz => {
                let points = space.points();
                // Coordinates that differ only by rounding errors are on one line.
                let unit = 1e-12 * points.iter().map(|p| p[0].abs()).fold(1.0, f64::max);
                let key = |&i: &u32| points[i as usize].map(|x| (x / unit).round());
                let mut order: Vec<u32> = (0..n as u32).collect();
                order.order_by(|a, b| {
                    let (a, b) = (key(a), key(b));
                    a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
                });
                order
            }
            Self::Stochastic => {
                let mut order: Vec<u32> = (0..n as u32).collect();
                SplitMix64::new(SEED).shuffle(&mut order);
                order
            }
            // §2.2, HIE: by coarse cells; the children of cell c are 4c to 4c + 3.
            Self::Hierarchical => {
                let mut met = vec![false; n];
                let mut order = Vec::with_capacity(n);
                for cell in 0..space.mesh.cells.len() {
                    for unknown in space.unknowns_of(cell) {
                        if !std::mem::replace(&mut met[unknown], true) {
                            order.push(unknown as u32);
                        }
                    }
                }
                order
            }
        };
        let mut numbers = vec![0; n];
        for (number, unknown) in (0..).zip(order) {
            numbers[unknown as usize] = number;
        }
        numbers
    }
}

/// The unknowns in Cuthill and McKee's order: from one with the fewest neighbours, breadth-first,
/// neighbours with fewer neighbours first.
fn cuthill_mckee(space: &Space<'_>) -> Vec<u32> {
    let neighbours = neighbours(space);
    let n = neighbours.len();
    let degree = |i: &u32| neighbours[*i as usize].len();
    let mut starts: Vec<u32> = (0..n as u32).collect();
    starts.order_by_key(degree);
    let mut met = vec![false; n];
    let mut order = Vec::with_capacity(n);
    let mut queue = VecDeque::new();
    // One start suffices unless the mesh has several pieces.
    for start in starts {
        if std::mem::replace(&mut met[start as usize], true) {
            continue;
        }
        queue.push_back(start);
        while let Some(unknown) = queue.pop_front() {
            order.push(unknown);
            let mut next: Vec<u32> = neighbours[unknown as usize].clone();
            next.retain(|&j| !std::mem::replace(&mut met[j as usize], true));
            next.order_by_key(degree);
            queue.extend(next);
        }
    }
    order
}

/// The other unknowns that share a cell with each unknown, ascending.
pub(crate) fn neighbours(space: &Space<'_>) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); space.dimension()];
    for cell in 0..space.mesh.cells.len() {
        let unknowns = space.unknowns_of(cell);
        for &i in &unknowns {
            neighbours[i].extend(unknowns.iter().filter(|&&j| j != i).map(|&j| j as u32));
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Reorders a vector by the new numbers of its entries.
pub fn renumber_vector<T: Copy + Default>(x: &[T], numbers: &[u32]) -> Vec<T> {
    let mut renumbered = vec![T::default(); x.len()];
    for (&value, &number) in x.iter().zip(numbers) {
        renumbered[number as usize] = value;
    }
    renumbered
}
