//! Unstructured meshes of quadrilaterals, and their refinement (geveler2011 §1.2, §4.2).
//!
//! Vertices, edges and cells of a refined mesh are numbered by their origin: first the coarse
//! vertices, then the midpoints of edges, then those of cells. The paper calls this numbering
//! 2LV, and the children of cell c are the cells 4c to 4c + 3.

use crate::base::order::ShortSort;
use std::collections::HashMap;

use super::error::QuadMeshError;

/// A curve in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Curve {
    /// A straight line, which contains its midpoints.
    Line,
    /// A circle.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
}

impl Curve {
    /// The point of the curve nearest to one between two of its points.
    pub fn nearest(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        match *self {
            Self::Line => [x, y],
            Self::Circle { centre, radius } => {
                let (dx, dy) = (x - centre[0], y - centre[1]);
                let scale = radius / dx.hypot(dy);
                [centre[0] + scale * dx, centre[1] + scale * dy]
            }
        }
    }
}

/// A part of the boundary: its name, and the curve onto which new vertices are moved.
#[derive(Debug, Clone, PartialEq)]
pub struct BoundaryPart {
    /// Its own name in commands.
    pub name: String,
    /// Names of it and of other parts together.
    pub groups: Vec<String>,
    /// Its curve.
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
    /// The edges of each cell: edge k goes from corner k to corner k + 1.
    pub cell_edges: Vec<[u32; 4]>,
    /// The part of the boundary to which an edge belongs; `None` inside.
    pub edge_part: Vec<Option<u32>>,
    /// The parts of the boundary.
    pub parts: Vec<BoundaryPart>,
}

impl QuadMesh {
    /// Creates a mesh of these cells. `part_of` gives the part of the boundary for an edge with a cell on
    /// one side only.
    pub fn new(
        vertices: Vec<[f64; 2]>,
        cells: Vec<[u32; 4]>,
        parts: Vec<BoundaryPart>,
        part_of: impl Fn([u32; 2]) -> u32,
    ) -> Result<Self, QuadMeshError> {
        if cells.is_empty() {
            return Err(QuadMeshError::Empty);
        }
        let broken = |v: &[f64; 2]| !v.iter().all(|x| x.is_finite());
        if let Some(vertex) = vertices.iter().position(broken) {
            return Err(QuadMeshError::NotFinite { vertex });
        }
        let mut mesh = Self {
            vertices,
            cell_edges: Vec::with_capacity(cells.len()),
            cells: Vec::with_capacity(cells.len()),
            edges: Vec::new(),
            edge_part: Vec::new(),
            parts,
        };
        // An edge by its ends, the smaller first: its number, and how often it was found.
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
                    // The cell on the other side traverses it in the other direction.
                    2 if mesh.edges[*edge as usize] != ends => {}
                    _ => {
                        let ends = ends.map(|v| mesh.vertices[v as usize]);
                        return Err(QuadMeshError::CrowdedEdge { cell, ends });
                    }
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
                    return Err(QuadMeshError::NoPart { ends: mesh.edges[edge as usize] });
                }
                mesh.edge_part[edge as usize] = Some(part);
            }
        }
        mesh.check_hanging_nodes()?;
        Ok(mesh)
    }

    fn check_cell(&self, cell: usize, corners: [u32; 4]) -> Result<(), QuadMeshError> {
        if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= self.vertices.len()) {
            return Err(QuadMeshError::NoVertex { cell, vertex });
        }
        match self.turned_corner(corners) {
            Some(at) => Err(QuadMeshError::Turned { cell, at }),
            None => Ok(()),
        }
    }

    /// A corner at which the bilinear map folds: its Jacobian is smallest at a corner, where it has to
    /// be positive.
    fn turned_corner(&self, corners: [u32; 4]) -> Option<[f64; 2]> {
        let [a, b, c, d] = corners.map(|v| self.vertices[v as usize]);
        let corners = [[d, a, b], [a, b, c], [b, c, d], [c, d, a]];
        let is_turned = |&[before, at, after]: &[[f64; 2]; 3]| {
            let (u, v) = (subtract(after, at), subtract(before, at));
            let area = cross(u, v);
            area.is_nan() || area <= 1e-12 * u[0].hypot(u[1]) * v[0].hypot(v[1])
        };
        corners.into_iter().find(is_turned).map(|[_, at, _]| at)
    }

    /// Checks that no vertex of a finer neighbour is on a boundary edge, between its ends.
    fn check_hanging_nodes(&self) -> Result<(), QuadMeshError> {
        let on_boundary = self.boundary_vertices();
        let mut places: Vec<[f64; 2]> = (self.vertices.iter().zip(on_boundary))
            .filter_map(|(&at, on_boundary)| on_boundary.then_some(at))
            .collect();
        places.order_by(|a, b| a[0].total_cmp(&b[0]));
        for (edge, ends) in self.edges.iter().enumerate() {
            if self.edge_part[edge].is_none() {
                continue;
            }
            let [a, b] = ends.map(|v| self.vertices[v as usize]);
            let along = subtract(b, a);
            let length = along[0].hypot(along[1]);
            let off = 1e-9 * length;
            let first = places.partition_point(|p| p[0] < a[0].min(b[0]) - off);
            let mut near = places[first..].iter().take_while(|p| p[0] <= a[0].max(b[0]) + off);
            let is_between = |p: &&[f64; 2]| {
                let from = subtract(**p, a);
                let share = (from[0] * along[0] + from[1] * along[1]) / (length * length);
                cross(from, along).abs() <= off * length && (1e-6..1.0 - 1e-6).contains(&share)
            };
            if let Some(&at) = near.find(is_between) {
                let has_edge = |edges: &[u32; 4]| edges.contains(&(edge as u32));
                let cell = self.cell_edges.iter().position(has_edge).unwrap_or(0);
                return Err(QuadMeshError::HangingNode { cell, at });
            }
        }
        Ok(())
    }

    /// Removes parts of the boundary without an edge.
    pub fn drop_unused_parts(&mut self) {
        let is_used = |&part: &usize| self.edge_part.contains(&Some(part as u32));
        let used: Vec<usize> = (0..self.parts.len()).filter(is_used).collect();
        self.keep_parts(&used);
    }

    /// Keeps these parts of the boundary, in this order.
    pub fn keep_parts(&mut self, order: &[usize]) {
        let mut number = vec![None; self.parts.len()];
        order.iter().zip(0..).for_each(|(&part, place)| number[part] = Some(place));
        self.parts = order.iter().map(|&part| self.parts[part].clone()).collect();
        for part in &mut self.edge_part {
            *part = part.and_then(|part| number[part as usize]);
        }
    }

    /// Tests whether each piece of the mesh has an edge that belongs to one of these parts. Cells that share
    /// an edge are in one piece; through a single vertex nothing flows.
    pub fn every_piece_has(&self, parts: &[bool]) -> bool {
        let mut above: Vec<u32> = (0..self.edges.len() as u32).collect();
        for edges in &self.cell_edges {
            let first = top(&mut above, edges[0]);
            for &edge in &edges[1..] {
                let other = top(&mut above, edge);
                above[other as usize] = first;
            }
        }
        let mut has = vec![false; self.edges.len()];
        for (edge, part) in (0..).zip(&self.edge_part) {
            if part.is_some_and(|part| parts[part as usize]) {
                has[top(&mut above, edge) as usize] = true;
            }
        }
        let mut edges = self.cell_edges.iter().map(|edges| edges[0]);
        edges.all(|edge| has[top(&mut above, edge) as usize])
    }

    /// Tests for each vertex whether it is on the boundary.
    pub fn boundary_vertices(&self) -> Vec<bool> {
        let mut is_boundary = vec![false; self.vertices.len()];
        for (ends, part) in self.edges.iter().zip(&self.edge_part) {
            if part.is_some() {
                ends.iter().for_each(|&v| is_boundary[v as usize] = true);
            }
        }
        is_boundary
    }

    /// Number of edges on the boundary, which is that of its vertices.
    pub fn boundary_edges(&self) -> usize {
        self.edge_part.iter().flatten().count()
    }

    /// Divides each cell into four. New vertices on the boundary are moved onto its curve; a cell's
    /// midpoint is the mean of the midpoints of its edges after that. The mean of its corners would
    /// give other matrices than the authors'.
    pub fn refined(&self) -> Self {
        let (v, e) = (self.vertices.len() as u32, self.edges.len() as u32);
        // §2.3.1: coarse vertices, then the middles of edges, then of quadrilaterals
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
            refined.vertices.push([0, 1].map(|k| 0.25 * points.iter().map(|p| p[k]).sum::<f64>()));
            // The inner edge k goes from the middle of edge k to the centre.
            let inner = refined.edges.len() as u32;
            refined.edges.extend(middles.map(|middle| [middle, centre]));
            refined.edge_part.extend([None; 4]);
            let half =
                |edge: u32, at: u32| 2 * edge + u32::from(self.edges[edge as usize][0] != at);
            for k in 0..4 {
                // §1.2: four new quadrilaterals, one at each corner
                let before = (k + 3) % 4;
                refined.cells.push([corners[k], middles[k], centre, middles[before]]);
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

    /// [`Self::levels`] for a mesh with an unchecked boundary.
    pub fn checked_levels(self, count: usize) -> Result<Vec<Self>, QuadMeshError> {
        let levels = self.levels(count);
        for (level, mesh) in (1..).zip(&levels) {
            let mut cells = mesh.cells.iter();
            if let Some(at) = cells.find_map(|&cell| mesh.turned_corner(cell)) {
                return Err(QuadMeshError::TurnedByRefining { level, at });
            }
        }
        Ok(levels)
    }

    /// The mesh and its successive refinements: `count` levels, the coarsest first.
    pub fn levels(self, count: usize) -> Vec<Self> {
        let mut levels = vec![self];
        while levels.len() < count {
            levels.push(levels[levels.len() - 1].refined());
        }
        levels
    }
}

/// The representative of all edges joined with this one; shortens paths to it.
fn top(above: &mut [u32], mut edge: u32) -> u32 {
    while above[edge as usize] != edge {
        above[edge as usize] = above[above[edge as usize] as usize];
        edge = above[edge as usize];
    }
    edge
}

fn subtract(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn cross(u: [f64; 2], v: [f64; 2]) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}

fn midpoint([a, b]: [[f64; 2]; 2]) -> [f64; 2] {
    [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
}
