//! The liquid's surface as a triangle mesh, by naive surface nets (Gibson 1998), from the level set at
//! the cells' centres. The paper names no method.
//!
//! The box closes the surface: a layer of air around it, as far from the surface as the liquid inside,
//! puts vertices half-way, onto the walls. There they are set to lie exactly: in a wall along its
//! normal, and beside that where the surface crosses the last layer of cells. So a pool has flat sides,
//! sharp edges and the volume that its level says.

use fast_surface_nets::ndshape::RuntimeShape;
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};
use rayon::prelude::*;

use crate::batty2003::liquid::Field;
use crate::mesh::TriangleMesh;

/// A triangle mesh and its normals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Closed; triangles turn counter-clockwise seen from the air.
    pub mesh: TriangleMesh,
    /// The direction of ∇φ at each vertex, of unit length: towards the air.
    pub normals: Vec<[f32; 3]>,
}

impl Surface {
    /// The surface where the field is zero, within the box that goes half its spacing beyond the outer
    /// points: those are cells' centres.
    pub fn of(field: &Field) -> Self {
        let lattice = Lattice::around(field);
        let mut nets = SurfaceNetsBuffer::default();
        let last = lattice.sides.map(|side| side - 1);
        let shape = RuntimeShape::<u32, 3>::new(lattice.sides);
        surface_nets(&lattice.values, &shape, [0; 3], last, &mut nets);
        let cubes = nets.surface_points.par_iter().zip(&nets.positions);
        // Lattice point 1 is the centre of the first cell, half a cell from the wall.
        let places: Vec<[f64; 3]> = cubes
            .map(|(&cube, &place)| lattice.on_walls(cube, place).map(|at| at - 0.5))
            .collect();
        let (origin, spacing) = (field.origin(), field.spacing());
        let position = |place: &[f64; 3]| {
            [0, 1, 2].map(|axis| (origin[axis] + (place[axis] - 0.5) * spacing) as f32)
        };
        Self {
            normals: places.par_iter().map(|&at| normal(field, at)).collect(),
            mesh: TriangleMesh {
                positions: places.iter().map(position).collect(),
                triangles: nets
                    .indices
                    .chunks_exact(3)
                    .map(|t| [t[0], t[1], t[2]])
                    .collect(),
            },
        }
    }
}

impl Surface {
    /// Its triangles as vertices to draw, each its position and its normal: those for which `seen` is
    /// true of their first corner and of a vector along their own normal, and the others. Triangles in a
    /// wall of the box between these corners have the wall's normal.
    pub fn by_side(
        &self,
        ends: [[f64; 3]; 2],
        seen: impl Fn([f64; 3], [f64; 3]) -> bool,
    ) -> [Vec<f32>; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        for triangle in &self.mesh.triangles {
            let corners = triangle.map(|vertex| self.mesh.positions[vertex as usize]);
            let [a, b, c] = corners.map(|corner| corner.map(f64::from));
            let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis| end[axis] - a[axis]));
            let across = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            let wall = wall_normal(corners, ends);
            let side = &mut sides[usize::from(!seen(a, across))];
            for (corner, vertex) in corners.into_iter().zip(triangle) {
                side.extend(corner);
                side.extend(wall.unwrap_or(self.normals[*vertex as usize]));
            }
        }
        sides
    }
}

/// The outward normal of the wall that a triangle lies in, if it does.
fn wall_normal(corners: [[f32; 3]; 3], ends: [[f64; 3]; 2]) -> Option<[f32; 3]> {
    let walls = (0..3).flat_map(|axis| [(axis, 0, -1.0), (axis, 1, 1.0)]);
    walls
        .filter(|&(axis, end, _)| {
            let wall = ends[end][axis];
            let near = 1e-5 * (ends[1][axis] - ends[0][axis]);
            let off = corners.map(|corner| (f64::from(corner[axis]) - wall).abs());
            off.into_iter().all(|off| off < near)
        })
        .map(|(axis, _, sign)| {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            normal
        })
        .next()
}

/// The value of a point; beyond the field that of the nearest point.
fn value(field: &Field, point: [isize; 3]) -> f64 {
    let size = field.size();
    let [i, j, k] = [0, 1, 2].map(|a| point[a].clamp(0, size[a] as isize - 1) as usize);
    f64::from(field.values()[i + size[0] * (j + size[1] * k)])
}

/// ∇φ at a point, in units of the spacing, by central differences.
fn gradient(field: &Field, point: [isize; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let (mut before, mut after) = (point, point);
        before[axis] = (point[axis] - 1).max(0);
        after[axis] = (point[axis] + 1).min(field.size()[axis] as isize - 1);
        let way = (after[axis] - before[axis]).max(1);
        (value(field, after) - value(field, before)) / way as f64
    })
}

/// The direction of ∇φ at a place in cells from the corner of the box, trilinear between points.
fn normal(field: &Field, place: [f64; 3]) -> [f32; 3] {
    let from = place.map(|at| (at - 0.5).floor());
    let mut sum = [0.0; 3];
    for corner in CORNERS {
        let mut weight = 1.0;
        let mut point = [0; 3];
        for axis in 0..3 {
            let share = place[axis] - 0.5 - from[axis];
            weight *= if corner[axis] == 1 {
                share
            } else {
                1.0 - share
            };
            // What lies outside counts as what lies at the wall.
            let last = field.size()[axis] as isize - 1;
            point[axis] = (from[axis] as isize + corner[axis] as isize).clamp(0, last);
        }
        let gradient = gradient(field, point);
        for axis in 0..3 {
            sum[axis] += weight * gradient[axis];
        }
    }
    let length = sum.iter().map(|v| v * v).sum::<f64>().sqrt();
    match length > 0.0 {
        true => sum.map(|v| (v / length) as f32),
        false => [0.0, 1.0, 0.0],
    }
}

/// The corners of a cube.
const CORNERS: [[u32; 3]; 8] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 1],
];

/// A level set in a layer of air, two at the upper ends, where the crate leaves the last layer open.
struct Lattice {
    values: Vec<f32>,
    sides: [u32; 3],
}

impl Lattice {
    fn around(field: &Field) -> Self {
        let size = field.size();
        let sides = size.map(|side| side + 3);
        let row = |line: usize| {
            let (j, k) = (line % sides[1], line / sides[1]);
            (0..sides[0]).map(move |i| {
                let phi = value(field, [i, j, k].map(|at| at as isize - 1)) as f32;
                let inside = |at: usize, axis: usize| (1..=size[axis]).contains(&at);
                let is_cell = inside(i, 0) && inside(j, 1) && inside(k, 2);
                if is_cell { phi } else { phi.abs() }
            })
        };
        let lines = 0..sides[1] * sides[2];
        let rows = lines.into_par_iter().flat_map_iter(row);
        Self {
            values: rows.collect(),
            sides: sides.map(|side| side as u32),
        }
    }

    fn at(&self, [i, j, k]: [u32; 3]) -> f64 {
        let index = i + self.sides[0] * (j + self.sides[1] * k);
        f64::from(self.values[index as usize])
    }

    /// Where the vertex of the cube from this lattice point lies, in units of the lattice: as given,
    /// but for a cube that a wall cuts.
    fn on_walls(&self, cube: [u32; 3], place: [f32; 3]) -> [f64; 3] {
        let last = self.sides.map(|side| side - 3);
        let cut = [0, 1, 2].map(|axis| cube[axis] == 0 || cube[axis] == last[axis]);
        if cut == [false; 3] {
            return place.map(f64::from);
        }
        // The corners that are cells differ along the axes that no wall cuts.
        let inner = [0, 1, 2].map(|axis| u32::from(cube[axis] == 0));
        let cell = |corner: [u32; 3]| {
            let end = |axis: usize| if cut[axis] { inner[axis] } else { corner[axis] };
            [0, 1, 2].map(|axis| cube[axis] + end(axis))
        };
        let mut sum = [0.0; 3];
        let mut crossings = 0.0;
        for corner in CORNERS {
            for axis in (0..3).filter(|&axis| !cut[axis] && corner[axis] == 0) {
                let mut other = corner;
                other[axis] = 1;
                let (a, b) = (self.at(cell(corner)), self.at(cell(other)));
                if (a < 0.0) != (b < 0.0) {
                    for (along, sum) in sum.iter_mut().enumerate() {
                        *sum += f64::from(corner[along]);
                    }
                    sum[axis] += a / (a - b);
                    crossings += 1.0;
                }
            }
        }
        [0, 1, 2].map(|axis| {
            let share = match (cut[axis], crossings > 0.0) {
                (false, true) => sum[axis] / crossings,
                _ => 0.5,
            };
            f64::from(cube[axis]) + share
        })
    }
}
