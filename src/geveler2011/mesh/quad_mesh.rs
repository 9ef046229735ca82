//! Unstructured meshes of quadrilaterals, and how they are refined (geveler2011 §1.2, §4.2).
//!
//! Vertices, edges and cells of a refined mesh are numbered by what they come from: first the coarse
//! vertices, then the midpoints of edges, then those of cells. That is the numbering that the paper
//! calls 2LV, and the children of cell c are the cells 4c to 4c + 3.

use std::collections::HashMap;

use super::curve::Curve;
use super::error::MeshError;

/// A part of the boundary: what it is called, and the curve that new vertices are put on.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundaryPart {
    /// What commands call it.
    pub name: String,
    /// Where it lies.
    pub curve: Curve,
}

/// A mesh of quadrilaterals in the plane.
#[derive(Debug, Clone, PartialEq)]
pub struct QuadMesh {
    /// x, y
    pub vertices: Vec<[f64; 2]>,
    /// The corners of each cell, counter-clockwise.
    pub cells: Vec<[u32; 4]>,
    /// The two ends of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The edges of each cell: edge k leads from corner k to corner k + 1.
    pub cell_edges: Vec<[u32; 4]>,
    /// The part of the boundary that an edge belongs to; `None` inside.
    pub edge_part: Vec<Option<u32>>,
    /// The parts of the boundary.
    pub parts: Vec<BoundaryPart>,
}

impl QuadMesh {
    /// A mesh of these cells. `part_of` names the part of the boundary of an edge that has a cell on
    /// one side only.
    ///
    /// # Errors
    /// A corner that is no vertex, a coordinate that is no number, a cell that is turned round or has
    /// an inner angle of 180° or more, an edge of three cells, two cells that run through an edge in
    /// the same direction.
    pub fn new(
        vertices: Vec<[f64; 2]>,
        cells: Vec<[u32; 4]>,
        parts: Vec<BoundaryPart>,
        part_of: impl Fn([u32; 2]) -> u32,
    ) -> Result<Self, MeshError> {
        if cells.is_empty() {
            return Err(MeshError::Empty);
        }
        let broken = |v: &[f64; 2]| !v.iter().all(|x| x.is_finite());
        if let Some(vertex) = vertices.iter().position(broken) {
            return Err(MeshError::NotFinite { vertex });
        }
        let mut mesh = Self {
            vertices,
            cell_edges: Vec::with_capacity(cells.len()),
            cells: Vec::with_capacity(cells.len()),
            edges: Vec::new(),
            edge_part: Vec::new(),
            parts,
        };
        // An edge by its ends, the smaller first: its number, and how often it was met.
        let mut known: HashMap<[u32; 2], (u32, u32)> = HashMap::new();
        for (cell, corners) in cells.into_iter().enumerate() {
            mesh.check_cell(cell, corners)?;
            let mut edges = [0; 4];
            for k in 0..4 {
                let ends = [corners[k], corners[(k + 1) % 4]];
                let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                let next = mesh.edges.len() as u32;
                let (edge, met) = known.entry(key).or_insert((next, 0));
                *met += 1;
                match *met {
                    1 => mesh.edges.push(ends),
                    // The other side runs through it the other way.
                    2 if mesh.edges[*edge as usize] != ends => {}
                    _ => return Err(MeshError::CrowdedEdge { ends }),
                }
                edges[k] = *edge;
            }
            mesh.cells.push(corners);
            mesh.cell_edges.push(edges);
        }
        mesh.edge_part = vec![None; mesh.edges.len()];
        for &(edge, met) in known.values() {
            if met == 1 {
                let part = part_of(mesh.edges[edge as usize]);
                if part as usize >= mesh.parts.len() {
                    return Err(MeshError::NoPart {
                        ends: mesh.edges[edge as usize],
                    });
                }
                mesh.edge_part[edge as usize] = Some(part);
            }
        }
        mesh.check_hanging_nodes()?;
        Ok(mesh)
    }

    fn check_cell(&self, cell: usize, corners: [u32; 4]) -> Result<(), MeshError> {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= self.vertices.len()) {
            return Err(MeshError::NoVertex { cell, vertex });
        }
        // The Jacobian of the bilinear map is smallest at a corner: there it has to be positive.
        let [a, b, c, d] = corners.map(|v| self.vertices[v as usize]);
        for [before, at, after] in [[d, a, b], [a, b, c], [b, c, d], [c, d, a]] {
            let (u, v) = (subtract(after, at), subtract(before, at));
            let area = u[0] * v[1] - u[1] * v[0];
            let sides = (u[0].hypot(u[1])) * (v[0].hypot(v[1]));
            if area.is_nan() || area <= 1e-12 * sides {
                return Err(MeshError::Turned { cell, at });
            }
        }
        Ok(())
    }

    /// A vertex in the middle of a boundary edge belongs to a finer neighbour.
    fn check_hanging_nodes(&self) -> Result<(), MeshError> {
        let mut by_place: HashMap<[i64; 2], u32> = HashMap::new();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for v in &self.vertices {
            for k in 0..2 {
                low[k] = low[k].min(v[k]);
                high[k] = high[k].max(v[k]);
            }
        }
        // Places are told apart to a billionth of the mesh.
        let unit = 1e-9 * (high[0] - low[0]).max(high[1] - low[1]);
        let place = |v: [f64; 2]| [0, 1].map(|k| ((v[k] - low[k]) / unit).round() as i64);
        let on_boundary = self.boundary_vertices();
        for (vertex, &v) in self.vertices.iter().enumerate() {
            if on_boundary[vertex] {
                by_place.insert(place(v), vertex as u32);
            }
        }
        for (ends, part) in self.edges.iter().zip(&self.edge_part) {
            let middle = midpoint(ends.map(|v| self.vertices[v as usize]));
            if part.is_some() && by_place.contains_key(&place(middle)) {
                return Err(MeshError::HangingNode { at: middle });
            }
        }
        Ok(())
    }

    /// Whether each vertex lies on the boundary.
    pub fn boundary_vertices(&self) -> Vec<bool> {
        let mut is_boundary = vec![false; self.vertices.len()];
        for (ends, part) in self.edges.iter().zip(&self.edge_part) {
            if part.is_some() {
                ends.iter().for_each(|&v| is_boundary[v as usize] = true);
            }
        }
        is_boundary
    }

    /// How many edges lie on the boundary, which is as many vertices as do.
    pub fn boundary_edges(&self) -> usize {
        self.edge_part.iter().flatten().count()
    }

    /// Each cell divided in four. New vertices on the boundary are moved onto its curve; a cell's
    /// midpoint is the mean of the midpoints of its edges after that. The mean of its corners would
    /// give other matrices than the authors'.
    pub fn refined(&self) -> Self {
        let (v, e) = (self.vertices.len() as u32, self.edges.len() as u32);
        let mut vertices = self.vertices.clone();
        for (ends, part) in self.edges.iter().zip(&self.edge_part) {
            let middle = midpoint(ends.map(|vertex| self.vertices[vertex as usize]));
            vertices.push(match part {
                Some(part) => self.parts[*part as usize].curve.nearest(middle),
                None => middle,
            });
        }
        let mut refined = Self {
            vertices,
            cells: Vec::with_capacity(4 * self.cells.len()),
            cell_edges: Vec::with_capacity(4 * self.cells.len()),
            edges: Vec::with_capacity(2 * self.edges.len() + 4 * self.cells.len()),
            edge_part: Vec::new(),
            parts: self.parts.clone(),
        };
        // The halves of edge i are 2i, at its first end, and 2i + 1.
        for (i, &[a, b]) in self.edges.iter().enumerate() {
            let middle = v + i as u32;
            refined.edges.extend([[a, middle], [middle, b]]);
            refined.edge_part.extend([self.edge_part[i]; 2]);
        }
        for (c, (&corners, &edges)) in self.cells.iter().zip(&self.cell_edges).enumerate() {
            let centre = v + e + c as u32;
            let middles = edges.map(|edge| v + edge);
            let points = middles.map(|m| refined.vertices[m as usize]);
            refined
                .vertices
                .push([0, 1].map(|k| 0.25 * points.iter().map(|p| p[k]).sum::<f64>()));
            // The inner edge k leads from the middle of edge k to the centre.
            let inner = refined.edges.len() as u32;
            refined.edges.extend(middles.map(|middle| [middle, centre]));
            refined.edge_part.extend([None; 4]);
            let half =
                |edge: u32, at: u32| 2 * edge + u32::from(self.edges[edge as usize][0] != at);
            for k in 0..4 {
                let before = (k + 3) % 4;
                refined
                    .cells
                    .push([corners[k], middles[k], centre, middles[before]]);
                refined.cell_edges.push([
                    half(edges[k], corners[k]),
                    inner + k as u32,
                    inner + before as u32,
                    half(edges[before], corners[k]),
                ]);
            }
        }
        refined
    }

    /// The mesh, and what becomes of it by refining: so many levels, the coarsest first.
    pub fn levels(self, count: usize) -> Vec<Self> {
        let mut levels = vec![self];
        while levels.len() < count {
            levels.push(levels[levels.len() - 1].refined());
        }
        levels
    }
}

fn subtract(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn midpoint([a, b]: [[f64; 2]; 2]) -> [f64; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}
