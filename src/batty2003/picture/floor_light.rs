//! The light on the floor of the glass box: shadows of bodies, and light that the liquid refracts,
//! focuses (caustics) and absorbs.
//!
//! Each triangle of the surface that faces the lamp is drawn twice, with additive blending: its light is subtracted
//! where it would land without the liquid, and added where it lands, brighter in proportion to the triangle's
//! reduction in area.

use crate::mesh::vector::{dot, widen};
use crate::picture::triangles::{self, Combine, Shader, Triangles};
use crate::stream::{Format, Machine, Stream, StreamError, source};

use super::surface::Surface;

/// Direction of the lamp.
pub const SUN: [f32; 3] = [-0.36, 0.88, 0.31];

/// Columns and rows of texels.
const TEXELS: u32 = 384;

/// Refractive index of air over that of water.
const RATIO: f32 = 0.75;

/// Transmittance of the surface.
const PASSED: f32 = 0.97;

/// Light on a part of the floor.
pub struct FloorLight {
    shader: Shader,
    /// Red, green and blue; the fourth channel is below 1/2 in the shadow of a body.
    pub stream: Stream,
    /// Position and normal of the vertices of bodies that cast shadows.
    shading: Vec<f32>,
    /// The box: two opposite corners.
    ends: [[f64; 3]; 2],
    /// The part of the floor: smallest x and z, and extents.
    pub region: [f32; 4],
}

impl FloorLight {
    /// Creates it for a box of this size, with bodies from [`super::bodies`].
    pub fn new(machine: &Machine, bodies: &[f32], extent: [f64; 3]) -> Result<Self, StreamError> {
        let programs = [
            source!(text "batty2003/picture/light", ".vert"),
            source!(text "batty2003/picture/light", ".frag"),
        ];
        let [x, _, z] = extent.map(|side| side as f32);
        // The first corner of a triangle decides whether it is lit.
        let lit = |corners: &&[f32]| (0..3).map(|k| corners[3 + k] * SUN[k]).sum::<f32>() > 0.0;
        let triangles = bodies.chunks_exact(27).filter(lit);
        let vertices = triangles.flat_map(|corners| corners.chunks_exact(9));
        Ok(Self {
            shader: Shader::new(machine, "batty2003/picture/light", programs)?,
            stream: Stream::zeros(machine, "light", (TEXELS, TEXELS), Format::Rgba32F)?,
            shading: vertices
                .flat_map(|vertex| vertex[..6].iter().copied())
                .collect(),
            ends: [[0.0; 3], extent],
            region: [-x, -z, 3.0 * x, 3.0 * z],
        })
    }

    /// Draws it for this surface; `absorbed` is the absorption of each colour per metre of liquid.
    pub fn draw(&self, surface: &Surface, absorbed: [f32; 3]) -> Result<(), StreamError> {
        let [lit, _] = surface.by_side(self.ends, |_, normal| dot(widen(SUN), normal) > 0.0);
        let constants = |ratio: f32, strength: [f32; 4], [r, g, b]: [f32; 3]| {
            let [x, y, z] = SUN;
            let texels = [TEXELS as f32, TEXELS as f32, 0.0, 0.0];
            [
                ("sun", [x, y, z, 0.0]),
                ("ratio", [ratio, 0.0, 0.0, 0.0]),
                ("region", self.region),
                ("texels", texels),
                ("absorbed", [r, g, b, 0.0]),
                ("strength", strength),
            ]
        };
        let shadow = constants(1.0, [0.0, 0.0, 0.0, -1.0], [0.0; 3]);
        let taken = constants(1.0, [-1.0, -1.0, -1.0, 0.0], [0.0; 3]);
        let bent = constants(RATIO, [PASSED, PASSED, PASSED, 0.0], absorbed);
        let drawn = [(&self.shading, &shadow), (&lit, &taken), (&lit, &bent)];
        let drawn = drawn.map(|(vertices, constants)| Triangles {
            shader: &self.shader,
            to_clip: [0.0; 16],
            constants,
            attributes: &[3, 3],
            vertices,
            combine: Combine::Sum,
        });
        triangles::draw(&self.stream, [1.0; 4], &drawn)
    }
}
