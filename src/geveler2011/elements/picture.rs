//! Solutions as pictures.

use crate::picture::colour::map::SEQUENTIAL;
use crate::picture::plot::{PlotError, Region, region};

use super::element::Element;
use super::space::{Bilinear, Space};

/// Approximate number of pieces into which cells are divided for the picture: less than a pixel each.
const PIECES: usize = 200_000;

/// A picture of a solution in colours, with isolines, as PNG.
///
/// # Errors
/// A value that is not finite.
pub fn picture(
    space: &Space<'_>,
    u: &[f64],
    title: String,
    note: String,
) -> Result<Vec<u8>, PlotError> {
    let cells = space.mesh.cells.len();
    let sides = ((PIECES / cells.max(1)) as f64).sqrt() as u32;
    let sides = sides.clamp(space.element.degree() as u32, 24);
    let nodes = (0..=sides).flat_map(|j| (0..=sides).map(move |i| [i, j]));
    let shapes: Vec<_> = nodes
        .map(|node| node.map(|i| 2.0 * f64::from(i) / f64::from(sides) - 1.0))
        .map(|at| (Element::Q1.shape(at).values, space.element.shape(at).values))
        .collect();
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for cell in 0..cells {
        let map = Bilinear::of(space.mesh, cell);
        let unknowns = space.unknowns_of(cell);
        let first = points.len() as u32;
        points.extend(shapes.iter().map(|(place, shape)| {
            let terms = shape.iter().zip(&unknowns);
            let value: f64 = terms.map(|(phi, &unknown)| phi * u[unknown]).sum();
            (map.point(place), value)
        }));
        for (i, j) in (0..sides).flat_map(|j| (0..sides).map(move |i| (i, j))) {
            let at = |i, j| first + i + (sides + 1) * j;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[0, 1, 2], [0, 2, 3]].map(|part| part.map(|k: usize| corners[k])));
        }
    }
    let edges = space.mesh.edges.iter().zip(&space.mesh.edge_part);
    let outline: Vec<[[f64; 2]; 2]> = edges
        .filter(|(_, part)| part.is_some())
        .map(|(ends, _)| ends.map(|v| space.mesh.vertices[v as usize]))
        .collect();
    region(&Region {
        title,
        note,
        points: &points,
        triangles: &triangles,
        outline: &outline,
        colours: &SEQUENTIAL,
    })
}
