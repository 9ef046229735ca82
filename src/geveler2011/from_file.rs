//! Meshes of the user: conversion of a file's contents to quadrilaterals.
//!
//! The direction in which a file lists the corners of a cell means nothing, so clockwise cells are reversed. A
//! triangle becomes three quadrilaterals around its middle; a quadrilateral in a mesh with triangles becomes four, so
//! that cells meet corner to corner. Edges of the boundary that the file does not name are the part `boundary`.
//! Vertices in the same position are not merged: between them the mesh has a slit.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use crate::io::Place;
use crate::io::plane_mesh::{PlaneCell, PlaneMesh, PlanePart, read_plane_mesh};

use super::error::{Error, QuadMeshError};
use super::quad_mesh::{BoundaryPart, Curve, QuadMesh};

/// Part of the boundary for edges without a name.
const UNNAMED: &str = "boundary";

/// A mesh, with the changes made to it.
pub struct Converted {
    /// Its quadrilaterals.
    pub mesh: QuadMesh,
    /// Number of clockwise cells, which were reversed.
    pub turned: usize,
    /// True if the file declares periodic sides, which are not used.
    pub periodic: bool,
    /// True if triangles, and with them all cells, were divided.
    pub divided: bool,
    /// Names in the file that no edge of the boundary has; true if an edge inside the mesh has it.
    pub elsewhere: BTreeMap<String, bool>,
    /// Number of vertices in the same position as another.
    pub doubled: usize,
}

/// Reads a mesh in one of [`read_plane_mesh`]'s formats.
pub fn read_quad_mesh(path: &Path) -> Result<Converted, Error> {
    convert(read_plane_mesh(path)?).map_err(|(line, source)| Error::Mesh {
        path: path.to_path_buf(),
        place: line.map_or(Place::File, Place::Line),
        source,
    })
}

/// Converts a mesh to quadrilaterals.
pub fn convert(mut plane: PlaneMesh) -> Result<Converted, (Option<usize>, QuadMeshError)> {
    let is_clockwise = |cell: &&mut PlaneCell| area(&cell.corners, &plane.vertices) < 0.0;
    let clockwise = plane.cells.iter_mut().filter(is_clockwise);
    let turned = clockwise.map(|cell| cell.corners.reverse()).count();
    let (periodic, doubled) = (plane.periodic, doubled(&plane));
    let name = |edge: [u32; 2]| [edge[0].min(edge[1]), edge[0].max(edge[1])];
    let mut part_of = HashMap::new();
    for edge in &plane.edges {
        part_of.entry(name(edge.ends)).or_insert(edge.part);
    }
    let mut parts: Vec<BoundaryPart> =
        plane.parts.iter().map(|part| boundary_part(part, &plane.parts)).collect();
    let unnamed = parts.iter().position(|part| part.groups == [UNNAMED]);
    let unnamed = unnamed.unwrap_or(parts.len()) as u32;
    if unnamed as usize == parts.len() {
        let (name, groups) = (UNNAMED.into(), Vec::new());
        parts.push(BoundaryPart { name, groups, curve: Curve::Line });
    }

    let lines: Vec<usize> = plane.cells.iter().map(|cell| cell.line).collect();
    let cells: Vec<Vec<u32>> = plane.cells.into_iter().map(|cell| cell.corners).collect();
    let whole: Option<Vec<[u32; 4]>> =
        cells.iter().map(|corners| corners[..].try_into().ok()).collect();
    let divided = whole.is_none();
    let (vertices, quads, origins) = match whole {
        Some(quads) => {
            let origins = (0..quads.len()).collect();
            (plane.vertices, quads, origins)
        }
        None => divide(plane.vertices, &cells, &parts, &mut part_of),
    };
    let part_of = |ends| part_of.get(&name(ends)).copied().unwrap_or(unnamed);
    let mut mesh = QuadMesh::new(vertices, quads, parts, part_of).map_err(|error| {
        let cell = error.cell().and_then(|cell| origins.get(cell));
        (cell.map(|&cell: &usize| lines[cell]), error)
    })?;
    mesh.drop_unused_parts();
    let mut elsewhere = BTreeMap::new();
    for (number, part) in (0..).zip(&plane.parts) {
        let is_inside = plane.edges.iter().any(|edge| edge.part == number);
        for name in &part.names {
            if !mesh.parts.iter().any(|part| part.groups.contains(name)) {
                *elsewhere.entry(name.clone()).or_default() |= is_inside;
            }
        }
    }
    Ok(Converted { mesh, turned, divided, periodic, elsewhere, doubled })
}

/// The part, called by the name that no other part has, or else by all its names.
fn boundary_part(part: &PlanePart, all: &[PlanePart]) -> BoundaryPart {
    let is_own = |name: &&String| all.iter().filter(|part| part.names.contains(name)).count() == 1;
    let own = part.names.iter().find(is_own).cloned();
    BoundaryPart {
        name: own.unwrap_or_else(|| part.names.join(" + ")),
        groups: part.names.clone(),
        curve: match part.circle {
            Some((centre, radius)) => Curve::Circle { centre, radius },
            None => Curve::Line,
        },
    }
}

/// Distance between vertices in the same position, relative to the mesh's size.
const SAME: f64 = 1e-10;

/// The number of vertices of cells that are in the same position as another.
fn doubled(plane: &PlaneMesh) -> usize {
    let mut corners: Vec<u32> = plane.cells.iter().flat_map(|cell| cell.corners.clone()).collect();
    corners.sort_unstable();
    corners.dedup();
    let places = || corners.iter().map(|&v| plane.vertices[v as usize]);
    let side = |axis: usize| {
        let along = || places().map(|place| place[axis]);
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    };
    let near = SAME * side(0).max(side(1));
    let mut known = HashSet::new();
    let is_doubled = |place: &[f64; 2]| {
        let [i, j] = place.map(|x| (x / near).round() as i64);
        let around = (-1..=1).flat_map(|di| (-1..=1).map(move |dj| [di, dj]));
        let is_known = around
            .into_iter()
            .any(|[di, dj]| known.contains(&[i.saturating_add(di), j.saturating_add(dj)]));
        known.insert([i, j]);
        is_known
    };
    places().filter(is_doubled).count()
}

/// The area of a polygon, negative if it is clockwise.
fn area(corners: &[u32], vertices: &[[f64; 2]]) -> f64 {
    let at = |k: usize| vertices[corners[k % corners.len()] as usize];
    let cross = |k: usize| {
        let ([a, b], [c, d]) = (at(k), at(k + 1));
        a * d - b * c
    };
    0.5 * (0..corners.len()).map(cross).sum::<f64>()
}

/// Vertices, quadrilaterals, and the original cell of each.
type Divided = (Vec<[f64; 2]>, Vec<[u32; 4]>, Vec<usize>);

/// Divides each cell around its middle, with a new vertex on each edge; on the boundary, on its curve.
fn divide(
    mut vertices: Vec<[f64; 2]>,
    cells: &[Vec<u32>],
    parts: &[BoundaryPart],
    part_of: &mut HashMap<[u32; 2], u32>,
) -> Divided {
    let mut cells_of: HashMap<[u32; 2], u32> = HashMap::new();
    let edge = |corners: &[u32], k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % corners.len()]);
        [a.min(b), a.max(b)]
    };
    for corners in cells {
        (0..corners.len()).for_each(|k| *cells_of.entry(edge(corners, k)).or_default() += 1);
    }
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let (mut quads, mut origins) = (Vec::new(), Vec::new());
    for (cell, corners) in cells.iter().enumerate() {
        let count = corners.len();
        let mut around = Vec::with_capacity(count);
        for k in 0..count {
            let ends = edge(corners, k);
            around.push(*middles.entry(ends).or_insert_with(|| {
                let [a, b] = ends.map(|v| vertices[v as usize]);
                let middle = [0, 1].map(|k| 0.5 * (a[k] + b[k]));
                let new = vertices.len() as u32;
                let on_boundary = cells_of[&ends] == 1;
                vertices.push(match part_of.get(&ends).copied() {
                    Some(part) if on_boundary => {
                        // A new vertex has the largest number so far.
                        part_of.extend(ends.map(|end| ([end, new], part)));
                        parts[part as usize].curve.nearest(middle)
                    }
                    _ => middle,
                });
                new
            }));
        }
        let centre = vertices.len() as u32;
        // As in refinement: the mean of the midpoints of the edges.
        let sum = |k: usize| around.iter().map(|&m| vertices[m as usize][k]).sum::<f64>();
        vertices.push([0, 1].map(|k| sum(k) / count as f64));
        for k in 0..count {
            quads.push([corners[k], around[k], centre, around[(k + count - 1) % count]]);
            origins.push(cell);
        }
    }
    (vertices, quads, origins)
}
