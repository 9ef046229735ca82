//! The rest of a picture: solids and the box's frame as triangles, and the light on the floor of the
//! glass box: shadows of bodies, and light that the liquid refracts, focuses (caustics) and absorbs.
//!
//! Each triangle of the surface that faces the lamp is drawn twice, with additive blending: its light is subtracted
//! where it would land without the liquid, and added where it lands, brighter in proportion to the triangle's
//! reduction in area.

use crate::batty2003::scenes::flip::Shape;
use crate::mesh::generate::cube;
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
    /// Creates it for a box of this size, with bodies from [`bodies`].
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
            shading: vertices.flat_map(|vertex| vertex[..6].iter().copied()).collect(),
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

/// Colour of solids, linear.
const CLAY: [f32; 3] = [0.78, 0.47, 0.26];
/// Colour of the frame.
const STEEL: [f32; 3] = [0.13, 0.15, 0.17];

/// Thickness of the frame, relative to the longest side of the box.
const BAR: f64 = 0.007;

/// Squares along a side of each of the six faces of which a sphere is made.
const ROUND: u32 = 24;

/// The triangles of solids in a box of this size.
pub fn bodies(solids: &[Shape], extent: [f64; 3]) -> Vec<f32> {
    let mut vertices = Vec::new();
    for solid in solids {
        match solid {
            Shape::Box { from, to } => {
                let from = from.map(|at| at.max(0.0));
                let to = [0, 1, 2].map(|axis| to[axis].min(extent[axis]));
                if (0..3).all(|axis| from[axis] < to[axis]) {
                    push_box(&mut vertices, from, to, CLAY);
                }
            }
            Shape::Sphere { centre, radius } => push_sphere(&mut vertices, *centre, *radius),
        }
    }
    vertices
}

/// The triangles of the frame of a box of this size: a bar along each edge.
pub fn frame(extent: [f64; 3]) -> Vec<f32> {
    let half = 0.5 * BAR * extent.into_iter().fold(0.0, f64::max);
    let mut vertices = Vec::new();
    for along in 0..3 {
        for end in 0..4 {
            let (mut from, mut to) = ([-half; 3], [0.0; 3]);
            let others = [(along + 1) % 3, (along + 2) % 3];
            for (bit, axis) in others.into_iter().enumerate() {
                from[axis] += if end >> bit & 1 == 1 { extent[axis] } else { 0.0 };
                to[axis] = from[axis] + 2.0 * half;
            }
            to[along] = extent[along] + half;
            push_box(&mut vertices, from, to, STEEL);
        }
    }
    vertices
}

fn push_box(vertices: &mut Vec<f32>, from: [f64; 3], to: [f64; 3], colour: [f32; 3]) {
    push_cube(vertices, 1, colour, |corner, face| {
        let end = |axis: usize| if corner[axis] > 0.0 { to } else { from }[axis];
        [[0, 1, 2].map(|axis| end(axis) as f32), face]
    });
}

fn push_sphere(vertices: &mut Vec<f32>, centre: [f64; 3], radius: f64) {
    push_cube(vertices, ROUND, CLAY, |corner, _| {
        let length = corner.iter().map(|v| v * v).sum::<f32>().sqrt();
        let normal = corner.map(|v| v / length);
        let place = |axis: usize| centre[axis] + radius * f64::from(normal[axis]);
        [[0, 1, 2].map(|axis| place(axis) as f32), normal]
    });
}

/// The triangles of a cube from −1 to 1 with `squares` squares along a side. The function maps a corner, and
/// the normal of its face, to the position and the normal of a vertex.
fn push_cube(
    vertices: &mut Vec<f32>,
    squares: u32,
    colour: [f32; 3],
    vertex: impl Fn([f32; 3], [f32; 3]) -> [[f32; 3]; 2],
) {
    let cube = cube(squares);
    for triangle in cube.triangles {
        let corners = triangle.map(|vertex| cube.positions[vertex as usize].map(|x| x as f32));
        let face = [0, 1, 2].map(|axis| {
            let [a, b, c] = corners.map(|corner| corner[axis]);
            if a == b && b == c { a } else { 0.0 }
        });
        for corner in corners {
            let [place, normal] = vertex(corner, face);
            vertices.extend([place, normal, colour].as_flattened());
        }
    }
}
