//! Pictures of meshes (Geveler et al. 2011, Fig. 1).

use crate::picture::sheet::{Align, Colour, INK, QUIET, Sheet, SheetError};

use crate::geveler2011::quad_mesh::QuadMesh;

/// Width and height of a mesh's picture, and of the line of text over it.
const MESH: [f64; 2] = [720.0, 760.0];
const HEAD: f64 = 70.0;
const MARGIN: f64 = 30.0;

/// Meshes side by side, each below its name; their boundaries are drawn thicker. The picture is a PNG file.
pub fn meshes(meshes: &[(&str, &QuadMesh)]) -> Result<Vec<u8>, SheetError> {
    let width = MESH[0] * meshes.len() as f64;
    let mut sheet = Sheet::new(width as u32, (HEAD + MESH[1]) as u32);
    for (k, (name, mesh)) in meshes.iter().enumerate() {
        let left = MESH[0] * k as f64;
        let middle = left + MESH[0] / 2.0;
        sheet.text(name, [middle, HEAD / 2.0], Align::Centre, 28.0, INK)?;
        let place = placing(mesh, [left, HEAD]);
        for is_boundary in [false, true] {
            let (line, colour): (f64, Colour) = if is_boundary { (3.0, INK) } else { (1.0, QUIET) };
            let edges = mesh.edges.iter().zip(&mesh.edge_part);
            for (ends, _) in edges.filter(|(_, part)| part.is_some() == is_boundary) {
                let ends = ends.map(|vertex| place(mesh.vertices[vertex as usize]));
                sheet.line(&ends, line, colour)?;
            }
        }
    }
    sheet.png()
}

/// Maps points of a mesh to the picture that begins at this corner.
fn placing(mesh: &QuadMesh, corner: [f64; 2]) -> impl Fn([f64; 2]) -> [f64; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for vertex in &mesh.vertices {
        for k in 0..2 {
            low[k] = low[k].min(vertex[k]);
            high[k] = high[k].max(vertex[k]);
        }
    }
    let scale = [0, 1].map(|k| (MESH[k] - 2.0 * MARGIN) / (high[k] - low[k]));
    let scale = scale[0].min(scale[1]);
    let middle = [0, 1].map(|k| corner[k] + MESH[k] / 2.0);
    move |[x, y]| {
        [
            middle[0] + scale * (x - 0.5 * (low[0] + high[0])),
            middle[1] - scale * (y - 0.5 * (low[1] + high[1])),
        ]
    }
}
