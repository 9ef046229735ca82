//! The five papers. Their ids name the modules, the shader folders, the tests and the figures.

/// A paper that this project rebuilds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// First author and year, as in `bolz2003`.
    pub id: &'static str,
    /// The authors as printed.
    pub authors: &'static str,
    /// The title as printed.
    pub title: &'static str,
    /// The year.
    pub year: u16,
}

/// All five, in the order in which they appeared.
pub const PAPERS: [Paper; 5] = [
    Paper {
        id: "bolz2003",
        authors: "Jeff Bolz, Ian Farmer, Eitan Grinspun, Peter Schröder",
        title: "Sparse Matrix Solvers on the GPU: Conjugate Gradients and Multigrid",
        year: 2003,
    },
    Paper {
        id: "kruger2003",
        authors: "Jens Krüger, Rüdiger Westermann",
        title: "Linear Algebra Operators for GPU Implementation of Numerical Algorithms",
        year: 2003,
    },
    Paper {
        id: "goodnight2003",
        authors: "Nolan Goodnight, Cliff Woolley, Gregory Lewin, David Luebke, Greg Humphreys",
        title: "A Multigrid Solver for Boundary Value Problems Using Programmable Graphics Hardware",
        year: 2003,
    },
    Paper {
        id: "batty2003",
        authors: "Chris Batty, Mark Wiebe, Ben Houston",
        title: "High Performance Production-Quality Fluid Simulation via NVIDIA’s QuadroFX",
        year: 2003,
    },
    Paper {
        id: "geveler2011",
        authors: "Markus Geveler, Dirk Ribbrock, Dominik Göddeke, Peter Zajac, Stefan Turek",
        title: "Efficient Finite Element Geometric Multigrid Solvers for Unstructured Grids on GPUs",
        year: 2011,
    },
];

/// The paper with this id.
pub fn find(id: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.id == id)
}
