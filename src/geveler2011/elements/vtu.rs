//! Solutions as files for ParaView: VTK's XML for unstructured grids, in text. (`vtkio` would bring
//! decompressors that need a C compiler.)
//!
//! VTK 9.7, the library behind ParaView, reads them: the points, the cells with a positive Jacobian at
//! all their nodes, and u.

use std::fmt::Display;
use std::io::{self, Write};

use super::element::Element;
use super::space::Space;

/// VTK's numbers for a bilinear and a biquadratic quadrilateral, which have the same order of nodes as
/// here.
fn cell_type(element: Element) -> u8 {
    match element {
        Element::Q1 => 9,
        Element::Q2 => 28,
    }
}

/// Writes the space's mesh with a value at each unknown, named `u`.
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
    array(
        out,
        "type=\"Int32\" Name=\"connectivity\"",
        cells.map(numbers),
    )?;
    array(out, "type=\"Int32\" Name=\"offsets\"", ends)?;
    array(out, "type=\"UInt8\" Name=\"types\"", types)?;
    writeln!(out, "</Cells>\n<PointData Scalars=\"u\">")?;
    let values = u.iter().map(|value| format!("{value:e}"));
    array(out, "type=\"Float64\" Name=\"u\"", values)?;
    writeln!(
        out,
        "</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>"
    )
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
