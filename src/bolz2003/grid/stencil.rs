//! Operators as stencils: every node's nine coefficients (Bolz et al. 2003, section 4.2).
//!
//! −∇·(a ∇u) + σu = g is integrated over each node's control volume, of width h inside and h/2 at
//! the sides. So the matrix is symmetric with Neumann sides too, which the Galerkin product with
//! P = 1/4 Sᵀ requires there: the equation of a node on a Neumann side has half the weight
//! of an inner one, that of a corner a quarter. The stencils have no unit except a's: the integral over
//! a volume h² leaves only differences of u, and σh².
//!
//! An entry that points out of the domain is zero. One that points to a Dirichlet node is not: it
//! multiplies a value that is kept zero, and carries prescribed values to the right-hand side.

use crate::solver::{Csr, CsrError, Real};

use super::geometry::Grid;

/// The offsets d, in the order of a stencil's entries.
pub const OFFSETS: [[isize; 2]; 9] =
    [[-1, -1], [0, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [0, 1], [1, 1]];

/// Index of the entry A⁰.
pub const CENTRE: usize = 4;

/// The weight of bilinear interpolation at this offset from a coarse node, in fine nodes.
pub fn interpolation_weight([x, y]: [isize; 2]) -> f64 {
    let along = |d: isize| match d.abs() {
        0 => 1.0,
        1 => 0.5,
        _ => 0.0,
    };
    along(x) * along(y)
}

/// A node's neighbour, if it is in the grid.
pub fn neighbour(grid: &Grid, [i, j]: [usize; 2], [x, y]: [isize; 2]) -> Option<[usize; 2]> {
    Some([grid.beside(0, i, x)?, grid.beside(1, j, y)?])
}

/// The stencil of one node of −∇·(a ∇u) + σu for values of a and σh² at the nodes: finite volumes,
/// with the mean of a between two nodes.
pub fn helmholtz_stencil(
    grid: &Grid,
    i: usize,
    j: usize,
    a: impl Fn(usize, usize) -> f64,
    sigma_h2: impl Fn(usize, usize) -> f64,
) -> [f64; 9] {
    let (width, height) = (grid.extent(0, i), grid.extent(1, j));
    let mut entries = [0.0; 9];
    for (d, face) in [(1, width), (3, height), (5, height), (7, width)] {
        if let Some([k, l]) = neighbour(grid, [i, j], OFFSETS[d]) {
            entries[d] = -face * (a(i, j) + a(k, l)) / 2.0;
        }
    }
    entries[CENTRE] = sigma_h2(i, j) * width * height - entries.iter().sum::<f64>();
    entries
}

/// A stencil times the values around its node; zero outside the domain.
pub fn apply_stencil<T: Real>(grid: &Grid, entries: &[T; 9], u: &[T], i: usize, j: usize) -> T {
    // §4.2: v[i] = Σ_d A^d[i] u[i + d]
    let mut sum = T::ZERO;
    // Inner nodes, nearly all of them, have all nine neighbours.
    let [_, right, _, top] = grid.computed();
    if i > 0 && j > 0 && i < right && j < top {
        let mut first = grid.place(i - 1, j - 1);
        for row in entries.as_chunks::<3>().0 {
            sum += row[0] * u[first];
            sum += row[1] * u[first + 1];
            sum += row[2] * u[first + 2];
            first += grid.columns();
        }
        return sum;
    }
    for (d, &entry) in OFFSETS.iter().zip(entries) {
        if let Some([k, l]) = neighbour(grid, [i, j], *d) {
            sum += entry * u[grid.place(k, l)];
        }
    }
    sum
}

/// The terms of P A S for each entry of the coarser stencil: the fine node around the coarse one and the entry
/// of its stencil, as indices in [`OFFSETS`], and the weight of their product. Only a few of the 9·9 are not zero.
fn terms() -> [Vec<(usize, usize, f64)>; 9] {
    let all = (0..9).flat_map(|e| (0..9).map(move |g| (e, g)));
    OFFSETS.map(|d| {
        let weighted = all.clone().map(|(e, g)| {
            // §4.2: A_2h^d[i] = 1/4 Σ_e,g S^e S^(e+g−2d) A_h^g[2i + e]
            let from = [0, 1].map(|axis| OFFSETS[e][axis] + OFFSETS[g][axis] - 2 * d[axis]);
            let weight = interpolation_weight(OFFSETS[e]) * interpolation_weight(from);
            (e, g, weight / 4.0)
        });
        weighted.filter(|(_, _, weight)| *weight != 0.0).collect()
    })
}

/// The stencils of one level, in the order of the nodes; zero at nodes that are not computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Stencils<T> {
    /// The level's grid.
    pub grid: Grid,
    /// A^d of every node.
    pub entries: Vec<[T; 9]>,
}

impl<T: Real> Stencils<T> {
    /// Computes the stencil of each computed node by a formula.
    fn from_nodes(grid: Grid, entry: impl Fn(usize, usize) -> [T; 9] + Sync) -> Self {
        Self { grid, entries: grid.map([T::ZERO; 9], entry) }
    }

    /// The stencils of −∇·(a ∇u) + σu for values of a and σh² at the nodes.
    pub fn helmholtz(
        grid: Grid,
        a: impl Fn(usize, usize) -> f64 + Sync,
        sigma_h2: impl Fn(usize, usize) -> f64 + Sync,
    ) -> Self {
        Self::from_nodes(grid, |i, j| {
            helmholtz_stencil(&grid, i, j, &a, &sigma_h2).map(T::from_f64)
        })
    }

    /// The stencils of the next coarser grid, A_2h = P A_h S, by the formula of section 4.2.
    pub fn composed(&self, coarser: Grid) -> Self {
        let terms = terms();
        Self::from_nodes(coarser, |i, j| {
            let fine = OFFSETS.map(|e| {
                let node = neighbour(&self.grid, [2 * i, 2 * j], e);
                node.map(|[k, l]| &self.entries[self.grid.place(k, l)])
            });
            terms.each_ref().map(|terms| {
                let mut sum = T::ZERO;
                for &(e, g, weight) in terms {
                    if let Some(entries) = fine[e] {
                        sum += T::from_f64(weight) * entries[g];
                    }
                }
                sum
            })
        })
    }

    /// A u at one node; zero outside the domain.
    pub fn at(&self, u: &[T], i: usize, j: usize) -> T {
        let entries = &self.entries[self.grid.place(i, j)];
        apply_stencil(&self.grid, entries, u, i, j)
    }

    /// The matrix of the unknowns alone, in the order of the nodes. A prescribed node has
    /// an empty row and column.
    pub fn matrix(&self) -> Result<Csr<T>, CsrError> {
        let grid = &self.grid;
        let triplets = (0..grid.nodes()).flat_map(|place| {
            let node = grid.node(place);
            let entries = OFFSETS.iter().zip(&self.entries[place]);
            entries.filter_map(move |(d, &entry)| {
                let [k, l] = neighbour(grid, node, *d)?;
                let known = !grid.is_computed(node[0], node[1]) || !grid.is_computed(k, l);
                (!known).then(|| (place, grid.place(k, l), entry))
            })
        });
        Csr::from_triplets(grid.nodes(), grid.nodes(), triplets)
    }
}

/// The stencil of an inner node for a = 1 and constant σ: it has the symmetries of the square,
/// and keeps them on coarser levels. At a Neumann side an entry along the side is half as large.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantStencil {
    /// The sum of all nine, kept separately: σh² may be smaller than the rounding error of the centre.
    pub reaction: f64,
    /// A⁰
    pub centre: f64,
    /// The four neighbours in the same row or column.
    pub edge: f64,
    /// The four others.
    pub corner: f64,
}

impl ConstantStencil {
    /// The five-point stencil of the finest level.
    pub fn five_point(sigma_h2: f64) -> Self {
        Self { reaction: sigma_h2, centre: 4.0 + sigma_h2, edge: -1.0, corner: 0.0 }
    }

    /// The smallest and the largest eigenvalue of D⁻¹A among the waves that the coarser grid cannot hold:
    /// those shorter than four nodes along at least one axis.
    pub fn high_frequencies(&self) -> [f64; 2] {
        // In the cosines x and y, at least one of them not above zero, the eigenvalue is bilinear: its extremes
        // are at corners.
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [0.0, -1.0], [0.0, 1.0]];
        let eigenvalues = corners.map(|[x, y]: [f64; 2]| {
            1.0 + (2.0 * self.edge * (x + y) + 4.0 * self.corner * x * y) / self.centre
        });
        [f64::min, f64::max].map(|extreme| eigenvalues.into_iter().reduce(extreme).unwrap_or(1.0))
    }

    fn entry(&self, d: [isize; 2]) -> f64 {
        match d[0].abs() + d[1].abs() {
            0 => self.centre,
            1 => self.edge,
            _ => self.corner,
        }
    }

    /// P A S
    pub fn composed(&self) -> Self {
        let terms = terms();
        let entry = |place: usize| {
            let terms = terms[place].iter();
            terms.map(|&(_, g, weight)| weight * self.entry(OFFSETS[g])).sum()
        };
        Self {
            // S leaves a constant unchanged, and so does P, an average.
            reaction: self.reaction,
            centre: entry(CENTRE),
            edge: entry(CENTRE + 1),
            corner: entry(CENTRE + 4),
        }
    }

    /// The stencils of all nodes of a level.
    pub fn stencils<T: Real>(&self, grid: Grid) -> Stencils<T> {
        Stencils::from_nodes(grid, |i, j| {
            let node = [i, j];
            let share = |axis: usize, d: isize| match d {
                0 => grid.extent(axis, node[axis]),
                _ => 1.0,
            };
            OFFSETS.map(|d| {
                let inside = neighbour(&grid, node, d).is_some();
                let share = if inside { share(0, d[0]) * share(1, d[1]) } else { 0.0 };
                T::from_f64(share * self.entry(d))
            })
        })
    }

    /// Centre, edge, corner and the sum of all, as a kernel takes them.
    pub fn constants(&self) -> [f32; 4] {
        [self.centre, self.edge, self.corner, self.reaction].map(|entry| entry as f32)
    }
}

/// [`ConstantStencil::high_frequencies`] of −∇² and of its coarse stencils, level by level. A reaction narrows
/// them; coefficients that vary little from node to node hardly change them.
pub fn high_frequencies(levels: usize) -> Vec<[f64; 2]> {
    let finest = ConstantStencil::five_point(0.0);
    let stencils = std::iter::successors(Some(finest), |finer| Some(finer.composed()));
    let each = stencils.map(|stencil| stencil.high_frequencies());
    each.take(levels).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bolz2003::grid::geometry::{Boundary, Sides};

    #[test]
    fn high_frequencies_are_those_of_the_symbols_of_five_and_nine_points() {
        let close = |got: [f64; 2], expected: [f64; 2]| {
            (0..2).all(|end| (got[end] - expected[end]).abs() < 1e-3)
        };
        let all = high_frequencies(9);
        assert!(close(all[0], [0.5, 2.0]) && close(all[1], [2.0 / 3.0, 4.0 / 3.0]));
        // Composed repeatedly, the stencil tends to that of bilinear elements, 1/3 of 8 and eight −1.
        assert!(close(all[8], [0.75, 1.5]), "{:?}", all[8]);
        let (mut finest, mut sampled) = (ConstantStencil::five_point(0.7), [f64::MAX, f64::MIN]);
        finest = finest.composed();
        let cosines = || (-20..=20).map(|step| f64::from(step) / 20.0);
        for (x, y) in cosines().flat_map(|x| cosines().map(move |y| (x, y))) {
            if x <= 0.0 || y <= 0.0 {
                let sum = finest.centre + 2.0 * finest.edge * (x + y) + 4.0 * finest.corner * x * y;
                let eigenvalue = sum / finest.centre;
                sampled = [sampled[0].min(eigenvalue), sampled[1].max(eigenvalue)];
            }
        }
        assert!(close(finest.high_frequencies(), sampled));
    }

    #[test]
    fn constants_give_the_composed_stencil_of_every_node_of_every_level() {
        let grid = Grid::new(17, 17, Sides::all(Boundary::Neumann)).unwrap();
        let mut stencils = Stencils::<f64>::helmholtz(grid, |_, _| 1.0, |_, _| 0.3);
        let mut constant = ConstantStencil::five_point(0.3);
        for grid in &grid.levels(0)[1..] {
            stencils = stencils.composed(*grid);
            constant = constant.composed();
            let expected = constant.stencils::<f64>(*grid);
            let pairs = stencils.entries.iter().zip(&expected.entries);
            for (entry, expected) in pairs.flat_map(|(a, b)| a.iter().zip(b)) {
                assert!((entry - expected).abs() < 1e-13);
            }
            let inner = &stencils.entries[grid.place(1, 1)];
            assert!((inner.iter().sum::<f64>() - constant.reaction).abs() < 1e-12);
        }
    }
}
