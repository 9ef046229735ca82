//! The paper's two problems (§4.2).

use crate::solver::CsrError;

use super::elements::{Condition, Element, Numbering, Problem};
use super::mesh::{QuadMesh, blood, circle};
use super::multigrid::{Discretisation, Settings};

/// A problem of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// −Δu = 1, u = 0 outside, u = 1 on the circle.
    Circle,
    /// −Δu = 0, u = 1 on the boundary, on the stand-in for the unpublished mesh.
    Blood,
}

impl Setup {
    /// Its meshes, the coarsest first.
    pub fn meshes(self, levels: usize) -> Vec<QuadMesh> {
        match self {
            Self::Circle => circle().levels(levels),
            Self::Blood => blood().levels(levels),
        }
    }

    /// The paper's smoothing.
    pub fn settings(self) -> Settings {
        match self {
            Self::Circle => Settings::paper_circle(),
            Self::Blood => Settings::paper_blood(),
        }
    }

    /// Its matrices on these meshes.
    pub fn discretise(
        self,
        meshes: &[QuadMesh],
        element: Element,
        numbering: Numbering,
    ) -> Result<Discretisation, CsrError> {
        let (zero, one) = (|_: [f64; 2]| 0.0, |_: [f64; 2]| 1.0);
        let (zero, one) = (Condition::Dirichlet(&zero), Condition::Dirichlet(&one));
        let (source, boundary) = match self {
            Self::Circle => (1.0, vec![zero, one]),
            Self::Blood => (0.0, vec![one; 4]),
        };
        let source = &|_: [f64; 2]| source;
        let problem = Problem { source, boundary };
        Discretisation::new(meshes, element, &problem, numbering)
    }
}
