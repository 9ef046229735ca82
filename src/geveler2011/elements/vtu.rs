//! Solutions as files for ParaView: VTK's XML for unstructured grids, in text. (`vtkio` would bring
//! decompressors that need a C compiler.)

use std::io::{self, Write};

use super::element::Element;
use super::space::Space;

/// VTK's numbers of a bilinear and of a biquadratic quadrilateral. Their nodes come in the order of
/// ours.
fn cell_type(element: Element) -> u8 {
    match element {
        Element::Q1 => 9,
        Element::Q2 => 28,
    }
}

/// Writes the space's mesh with a value at each unknown, named `u`.
pub fn write_vtu(space: &Space<'_>, u: &[f64], out: &mut impl Write) -> io::Result<()> {
    let cells = space.mesh.cells.len();
    let nodes = space.element.nodes().len();
    let points = space.points();
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{cells}\">\n\
         <Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">",
        points.len()
    )?;
    for [x, y] in points {
        writeln!(out, "{x} {y} 0")?;
    }
    writeln!(out, "</DataArray>\n</Points>\n<Cells>")?;
    writeln!(
        out,
        "<DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">"
    )?;
    for cell in 0..cells {
        let unknowns = space.unknowns_of(cell);
        let numbers: Vec<String> = unknowns.iter().map(usize::to_string).collect();
        writeln!(out, "{}", numbers.join(" "))?;
    }
    writeln!(
        out,
        "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">"
    )?;
    for cell in 1..=cells {
        writeln!(out, "{}", nodes * cell)?;
    }
    writeln!(
        out,
        "</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">"
    )?;
    for _ in 0..cells {
        writeln!(out, "{}", cell_type(space.element))?;
    }
    writeln!(out, "</DataArray>\n</Cells>\n<PointData Scalars=\"u\">")?;
    writeln!(
        out,
        "<DataArray type=\"Float64\" Name=\"u\" format=\"ascii\">"
    )?;
    for value in u {
        writeln!(out, "{value:e}")?;
    }
    writeln!(
        out,
        "</DataArray>\n</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>"
    )
}
