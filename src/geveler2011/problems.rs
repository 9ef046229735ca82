//! The paper's two problems (§4.2, Fig. 1a and b): CIRCLE, a rectangle around a circle, and BLOOD.

use crate::bundled;
use crate::io::plane_mesh::{FeatCurves, PlanePart, parse_feat};
use crate::solver::CsrError;

use super::assembly::{Condition, Problem};
use super::discretisation::Discretisation;
use super::from_file::convert;
use super::numbering::Numbering;
use super::quad_mesh::{BoundaryPart, Curve, QuadMesh};
use super::settings::Settings;
use super::space::Element;

/// A problem of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setup {
    /// −Δu = 1, u = 0 outside, u = 1 on the circle.
    Circle,
    /// −Δu = 0, u = 1 on the boundary: u is 1 everywhere.
    Blood,
}

impl Setup {
    /// Its coarse mesh.
    pub fn mesh(self) -> QuadMesh {
        match self {
            Self::Circle => circle(),
            Self::Blood => blood(),
        }
    }

    /// Its meshes, the coarsest first.
    pub fn meshes(self, levels: usize) -> Vec<QuadMesh> {
        self.mesh().levels(levels)
    }

    /// f, and u on all parts of the boundary but the last and on the last.
    pub fn values(self) -> (f64, [f64; 2]) {
        match self {
            // §4.2: −Δu = 1, u = 0 on Γ₁, u = 1 on Γ₂
            Self::Circle => (1.0, [0.0, 1.0]),
            // §4.2: −Δu = 0, u = 1 on Γ
            Self::Blood => (0.0, [1.0, 1.0]),
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
        let (source, [others, last]) = self.values();
        let (others, last) = (|_: [f64; 2]| others, |_: [f64; 2]| last);
        let mut boundary = vec![Condition::Dirichlet(&others); meshes[0].parts.len() - 1];
        boundary.push(Condition::Dirichlet(&last));
        let problem = Problem { source: &|_| source, boundary };
        Discretisation::new(meshes, element, &problem, numbering)
    }
}

/// CIRCLE's coarse mesh: 3 × 3 cells without the middle one, whose corners are on the circle.
/// The paper prints neither coordinates nor the radius; these give the authors' matrices.
/// Boundaries: `outer`, twelve edges of the rectangle [0, 1] × [0, 1.25], and `circle`, four.
pub fn circle() -> QuadMesh {
    let x = [0.0, 0.4, 0.6, 1.0];
    let y = [0.0, 0.4, 0.6, 1.25];
    let vertices: Vec<[f64; 2]> = (0..16).map(|v| [x[v % 4], y[v / 4]]).collect();
    let corner = |i: u32, j: u32| i + 4 * j;
    let cells = (0..9_u32).filter(|&cell| cell != 4).map(|cell| {
        let (i, j) = (cell % 3, cell / 3);
        [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| corner(i, j))
    });
    let part = |name: &str, curve| BoundaryPart { name: name.into(), groups: Vec::new(), curve };
    let inner = [corner(1, 1), corner(2, 1), corner(2, 2), corner(1, 2)];
    let parts = vec![
        part("outer", Curve::Line),
        part("circle", Curve::Circle { centre: [0.5, 0.5], radius: 0.02_f64.sqrt() }),
    ];
    let part_of = |ends: [u32; 2]| u32::from(ends.iter().all(|v| inner.contains(v)));
    QuadMesh::new(vertices, cells.collect(), parts, part_of).expect("eight cells that fit together")
}

/// Names of BLOOD's curves, in the order of its file. Curves with the same name are on the same line or circle, or end the
/// vessel and its walls.
const CURVES: [&str; 11] =
    ["ends", "ends", "ends", "inner", "ends", "ends", "ends", "outer", "neck", "dome", "outer"];

/// BLOOD's coarse mesh, a vessel with an aneurysm and walls of two layers: 234 cells with 267 vertices, from the authors'
/// library (`figures/input`). Boundaries: `inner` and `outer` (the two sides of the bend), `dome` (the aneurysm's, of
/// which `neck` is the straight part), and `ends`.
pub fn blood() -> QuadMesh {
    let [curves, cells] = bundled::BLOOD;
    let curves = FeatCurves::parse(curves).expect("a bundled file");
    let mut plane = parse_feat(cells, &curves).expect("a bundled file");
    let mut parts: Vec<PlanePart> = Vec::new();
    for edge in &mut plane.edges {
        // The curves of the only component are called 1.1 to 1.11.
        let PlanePart { names, circle } = &plane.parts[edge.part as usize];
        let curve: Option<usize> = names[0].strip_prefix("1.").and_then(|name| name.parse().ok());
        let name = curve.map_or("", |curve| CURVES[curve - 1]);
        let known = parts.iter().position(|part| part.names[0] == name);
        edge.part = known.unwrap_or(parts.len()) as u32;
        if known.is_none() {
            let groups = if name == "neck" { vec!["neck", "dome"] } else { vec![name] };
            let names = groups.into_iter().map(str::to_owned).collect();
            parts.push(PlanePart { names, circle: *circle });
        }
    }
    plane.parts = parts;
    convert(plane).map_err(|(_, error)| error).expect("234 cells that fit together").mesh
}
