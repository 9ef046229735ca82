//! Pictures of meshes, lit.

use image::RgbImage;

use super::Canvas;
use super::camera::axes;
use super::triangles::{self, Combine, Shader, Triangles};
use crate::mesh::TriangleMesh;
use crate::mesh::measure::bounding_box;
use crate::mesh::vector::{Vector, subtract};
use crate::stream::{Machine, StreamError};

const VERTEX: &str = include_str!("../../glsl/mesh/lit.vert");
const FRAGMENT: &str = include_str!("../../glsl/mesh/lit.frag");

const BACKGROUND: f32 = 0.93;

/// View of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Rotation around the vertical (y) axis, in degrees; 0 looks along −z.
    pub azimuth: f64,
    /// Height above the horizontal, in degrees.
    pub elevation: f64,
    /// The centre of the picture, in units of the mesh.
    pub centre: [f64; 3],
    /// Half the extent that the picture shows, in units of the mesh.
    pub radius: f64,
    /// Colour of the surface, linear.
    pub albedo: [f32; 3],
}

impl View {
    /// A view that shows all of a mesh.
    pub fn of(mesh: &TriangleMesh, azimuth: f64, elevation: f64) -> Self {
        let (centre, radius) = match bounding_box(mesh) {
            Some(bounds) => (bounds.centre(), bounds.diagonal() / 2.0),
            None => ([0.0; 3], 1.0),
        };
        Self { azimuth, elevation, centre, radius, albedo: [0.80, 0.72, 0.60] }
    }

    /// The picture's axes in the mesh's coordinates: right, up, towards the eye.
    fn axes(self) -> [[f64; 3]; 3] {
        axes(self.azimuth, self.elevation)
    }

    /// Orthographic projection of positions from the centre in units of the radius, column by column.
    fn to_clip(self) -> [f32; 16] {
        let axes = self.axes();
        let mut matrix = [0.0; 16];
        for (row, axis) in axes.iter().enumerate() {
            // The eye looks along the third axis: nearer is smaller depth.
            let scale = if row == 2 { -0.5 } else { 1.0 };
            for column in 0..3 {
                matrix[4 * column + row] = (axis[column] * scale) as f32;
            }
        }
        matrix[15] = 1.0;
        matrix
    }

    fn light(self) -> [f32; 4] {
        let [right, up, eye] = self.axes();
        let mixed = [0, 1, 2].map(|i| -0.45 * right[i] + 0.55 * up[i] + 0.70 * eye[i]);
        let length = mixed.iter().map(|v| v * v).sum::<f64>().sqrt();
        let [x, y, z] = mixed.map(|v| (v / length) as f32);
        [x, y, z, 0.0]
    }
}

/// Draws a mesh into a picture of `size` x `size` pixels.
pub fn draw(
    machine: &Machine,
    mesh: &TriangleMesh,
    view: &View,
    size: u32,
) -> Result<RgbImage, StreamError> {
    let canvas = Canvas::new(machine, size, size)?;
    let shader = Shader::new(machine, "mesh/lit", [VERTEX, FRAGMENT])?;
    let corners = mesh.triangles.as_flattened().iter();
    let in_view = |p: Vector| subtract(p, view.centre).map(|x| (x / view.radius) as f32);
    let vertices: Vec<f32> = corners.flat_map(|&v| in_view(mesh.positions[v as usize])).collect();
    let [_, _, [x, y, z]] = view.axes().map(|axis| axis.map(|v| v as f32));
    let [r, g, b] = view.albedo;
    let drawn = Triangles {
        shader: &shader,
        to_clip: view.to_clip(),
        constants: &[("light", view.light()), ("eye", [x, y, z, 0.0]), ("albedo", [r, g, b, 0.0])],
        attributes: &[3],
        vertices: &vertices,
        combine: Combine::Nearest,
    };
    let background = [BACKGROUND, BACKGROUND, BACKGROUND, 1.0];
    triangles::draw(canvas.stream(), background, &[drawn])?;
    canvas.image()
}
