//! The solids in the box, and the box's frame, as triangles to draw: each vertex has a position, a
//! normal and a colour, nine numbers.

use crate::batty2003::liquid::Shape;
use crate::mesh::generate::cube;

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
                from[axis] += if end >> bit & 1 == 1 {
                    extent[axis]
                } else {
                    0.0
                };
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
        let corners = triangle.map(|vertex| cube.positions[vertex as usize]);
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
