//! Pictures of meshes: lit and depth-tested, which no pass is. What is drawn here, the ledger counts as
//! drawn outside.

use image::RgbImage;

use super::Canvas;
use crate::gl::{Primitive, Program, VertexBuffer};
use crate::mesh::TriangleMesh;
use crate::stream::{Machine, StreamError};

const VERTEX: &str = include_str!("../../glsl/mesh/lit.vert");
const FRAGMENT: &str = include_str!("../../glsl/mesh/lit.frag");

const BACKGROUND: f32 = 0.93;

/// Where a mesh is looked at from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Turn about the vertical (y) axis, in degrees; 0 looks along −z.
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
        let mut low = [f64::INFINITY; 3];
        let mut high = [f64::NEG_INFINITY; 3];
        for &v in mesh.triangles.as_flattened() {
            for axis in 0..3 {
                let value = f64::from(mesh.positions[v as usize][axis]);
                low[axis] = low[axis].min(value);
                high[axis] = high[axis].max(value);
            }
        }
        let half = [0, 1, 2].map(|axis| (high[axis] - low[axis]) / 2.0);
        Self {
            azimuth,
            elevation,
            centre: [0, 1, 2].map(|axis| low[axis] + half[axis]),
            radius: half.iter().map(|h| h * h).sum::<f64>().sqrt(),
            albedo: [0.80, 0.72, 0.60],
        }
    }

    /// The picture's axes in the mesh's coordinates: right, up, towards the eye.
    fn axes(self) -> [[f64; 3]; 3] {
        let (sin_a, cos_a) = self.azimuth.to_radians().sin_cos();
        let (sin_e, cos_e) = self.elevation.to_radians().sin_cos();
        [
            [cos_a, 0.0, -sin_a],
            [-sin_a * sin_e, cos_e, -cos_a * sin_e],
            [sin_a * cos_e, sin_e, cos_a * cos_e],
        ]
    }

    /// Orthographic projection, column by column.
    fn to_clip(self) -> [f32; 16] {
        let axes = self.axes();
        let mut matrix = [0.0; 16];
        for (row, axis) in axes.iter().enumerate() {
            // The eye looks along the third axis: nearer is smaller depth.
            let scale = if row == 2 { -0.5 } else { 1.0 } / self.radius;
            let offset: f64 = axis.iter().zip(self.centre).map(|(a, c)| a * c).sum();
            for column in 0..3 {
                matrix[4 * column + row] = (axis[column] * scale) as f32;
            }
            matrix[12 + row] = (-offset * scale) as f32;
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
    canvas.stream().draw_outside(|context, framebuffer| {
        let program = Program::new(context, "mesh/lit", VERTEX, FRAGMENT)?;
        let corners: Vec<f32> = mesh
            .triangles
            .as_flattened()
            .iter()
            .flat_map(|&v| mesh.positions[v as usize])
            .collect();
        let geometry = VertexBuffer::new(context, &[3], &corners)?;
        framebuffer.clear([BACKGROUND, BACKGROUND, BACKGROUND, 1.0]);
        program.bind();
        let [_, _, eye] = view.axes().map(|axis| axis.map(|v| v as f32));
        for uniform in program.uniforms() {
            match uniform.name.as_str() {
                "to_clip" => program.set_matrix(uniform, &view.to_clip()),
                "light" => program.set(uniform, view.light()),
                "eye" => program.set(uniform, [eye[0], eye[1], eye[2], 0.0]),
                "albedo" => {
                    let [r, g, b] = view.albedo;
                    program.set(uniform, [r, g, b, 0.0]);
                }
                _ => {}
            }
        }
        geometry.draw_depth_tested(Primitive::Triangles);
        Ok(())
    })?;
    canvas.image()
}
