//! A mesh in the plane: its cells, its edges and the parts of its boundary.

/// A mesh in the plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlaneMesh {
    /// x, y of every vertex; some may belong to no cell.
    pub vertices: Vec<[f64; 2]>,
    /// Triangles and quadrilaterals.
    pub cells: Vec<PlaneCell>,
    /// Edges that belong to a part of the boundary; some may be in the interior, or not belong to a cell.
    pub edges: Vec<PlaneEdge>,
    /// The parts of the boundary; some may have no edge.
    pub parts: Vec<PlanePart>,
    /// True if the file declares sides to be periodic, which is not used.
    pub periodic: bool,
}

/// A triangle or a quadrilateral.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneCell {
    /// Three or four corners in sequence, in either direction.
    pub corners: Vec<u32>,
    /// Line in the file.
    pub line: usize,
}

/// An edge with its part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneEdge {
    /// The vertices at its ends.
    pub ends: [u32; 2],
    /// Index of the part.
    pub part: u32,
}

/// A part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanePart {
    /// Its names, of which there is at least one. Several parts may share a name.
    pub names: Vec<String>,
    /// Centre and radius of its circle; straight if absent.
    pub circle: Option<([f64; 2], f64)>,
}
