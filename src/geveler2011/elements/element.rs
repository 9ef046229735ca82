//! The two finite elements: bilinear and biquadratic on the square [−1, 1]² (geveler2011 §1.2).

/// A finite element space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Element {
    /// Bilinear: one unknown per vertex
    Q1,
    /// Biquadratic: one unknown per vertex, edge and cell
    Q2,
}

/// Shape functions at a point: their values, and their derivatives on the square.
pub struct Shape {
    /// φ_i
    pub values: Vec<f64>,
    /// ∂φ_i/∂ξ, ∂φ_i/∂η
    pub gradients: Vec<[f64; 2]>,
}

impl Element {
    /// Both elements.
    pub const ALL: [Self; 2] = [Self::Q1, Self::Q2];

    /// Its degree in each direction, k.
    pub fn degree(self) -> usize {
        match self {
            Self::Q1 => 1,
            Self::Q2 => 2,
        }
    }

    /// The nodes of its unknowns: corners counter-clockwise from (−1, −1), then the middles of the
    /// edges in the same order, then the centre.
    pub fn nodes(self) -> &'static [[f64; 2]] {
        const NODES: [[f64; 2]; 9] = [
            [-1.0, -1.0],
            [1.0, -1.0],
            [1.0, 1.0],
            [-1.0, 1.0],
            [0.0, -1.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
            [0.0, 0.0],
        ];
        match self {
            Self::Q1 => &NODES[..4],
            Self::Q2 => &NODES,
        }
    }

    /// The shape functions at a point: products of Lagrange's polynomials of ξ and of η, each 1 at
    /// its node and 0 at all others.
    pub fn shape(self, at: [f64; 2]) -> Shape {
        let nodes = self.nodes();
        // Value and derivative in each direction.
        let pairs = nodes
            .iter()
            .map(|node| [0, 1].map(|k| self.lagrange(node[k], at[k])));
        let (values, gradients) = pairs
            .map(|[x, y]| (x.0 * y.0, [x.1 * y.0, x.0 * y.1]))
            .unzip();
        Shape { values, gradients }
    }

    /// The polynomial that is 1 at `node`, and its derivative.
    fn lagrange(self, node: f64, x: f64) -> (f64, f64) {
        match self {
            Self::Q1 => (0.5 * (1.0 + node * x), 0.5 * node),
            Self::Q2 if node == 0.0 => (1.0 - x * x, -2.0 * x),
            Self::Q2 => (0.5 * x * (x + node), x + 0.5 * node),
        }
    }
}
