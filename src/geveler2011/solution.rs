//! Solutions as files for ParaView, VTK's XML for unstructured grids, and as pictures. (`vtkio` would bring
//! decompressors that need a C compiler.)
//!
//! VTK 9.7, the library behind ParaView, reads them: the points, the cells with a positive Jacobian at
//! all their nodes, and u.

use std::fmt::Display;
use std::io::{self, Write};

#[cfg(feature = "plot")]
use crate::picture::colour::map::SEQUENTIAL;
#[cfg(feature = "plot")]
use crate::picture::plot::{PlotError, Region, region};

#[cfg(feature = "plot")]
use super::space::Bilinear;
use super::space::{Element, Space};

/// VTK's numbers for a bilinear and a biquadratic quadrilateral, which have the same order of nodes as
/// here.
fn cell_type(element: Element) -> u8 {
    match element {
        Element::Q1 => 9,
        Element::Q2 => 28,
    }
}

/// Writes the space's mesh with a value at each unknown, named `u`, as a VTK file of an unstructured grid.
pub fn write_vtu(space: &Space<'_>, u: &[f64], out: &mut impl Write) -> io::Result<()> {
    let (cells, points) = (0..space.mesh.cells.len(), space.points());
    let numbers = |cell| {
        let unknowns = space.unknowns_of(cell);
        let numbers: Vec<String> = unknowns.iter().map(usize::to_string).collect();
        numbers.join(" ")
    };
    let nodes = space.element.nodes().len();
    let ends = cells.clone().map(|cell| nodes * (cell + 1));
    let types = cells.clone().map(|_| cell_type(space.element));
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>",
        points.len(),
        cells.len()
    )?;
    let places = points.iter().map(|[x, y]| format!("{x} {y} 0"));
    array(out, "type=\"Float64\" NumberOfComponents=\"3\"", places)?;
    writeln!(out, "</Points>\n<Cells>")?;
    array(out, "type=\"Int32\" Name=\"connectivity\"", cells.map(numbers))?;
    array(out, "type=\"Int32\" Name=\"offsets\"", ends)?;
    array(out, "type=\"UInt8\" Name=\"types\"", types)?;
    writeln!(out, "</Cells>\n<PointData Scalars=\"u\">")?;
    let values = u.iter().map(|value| format!("{value:e}"));
    array(out, "type=\"Float64\" Name=\"u\"", values)?;
    writeln!(out, "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>")
}

/// Writes an array with one line per item.
fn array(
    out: &mut impl Write,
    attributes: &str,
    lines: impl Iterator<Item: Display>,
) -> io::Result<()> {
    writeln!(out, "<DataArray {attributes} format=\"ascii\">")?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "</DataArray>")
}

/// Approximate number of pieces into which cells are divided for the picture: less than a pixel each.
#[cfg(feature = "plot")]
const PIECES: usize = 200_000;

/// A picture of a solution in colours, with isolines, as PNG.
#[cfg(feature = "plot")]
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
            // §2.3, Eq. 1: u_h = Σ x_i φ_i
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
