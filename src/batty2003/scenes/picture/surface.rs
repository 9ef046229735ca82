//! The liquid's surface as a triangle mesh, by naive surface nets (Gibson 1998), from the level set at
//! the cells' centres. The paper names no method.
//!
//! The box closes the surface: a layer of air around it, as far from the surface as the liquid inside,
//! puts vertices halfway, onto the walls. Their exact positions are then set: in a wall along its
//! normal, and otherwise where the surface crosses the last layer of cells. So a pool has flat sides,
//! sharp edges and the volume given by its level.

use fast_surface_nets::ndshape::RuntimeShape;
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};

use crate::base::parallel::collect;
use crate::batty2003::scenes::flip::{Field, Grid};
use crate::mesh::TriangleMesh;
use crate::mesh::vector::{cross, norm, subtract};

/// A triangle mesh and its normals.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Closed; triangles are counter-clockwise seen from the air.
    pub mesh: TriangleMesh,
    /// The direction of ∇φ at each vertex, of unit length: towards the air.
    pub normals: Vec<[f32; 3]>,
}

impl Surface {
    /// The surface where the field is zero, within the box that extends half the spacing beyond the outer
    /// points, which are cells' centres.
    pub fn of(field: &Field) -> Self {
        let lattice = Lattice::around(field);
        let mut nets = SurfaceNetsBuffer::default();
        let last = lattice.sides.map(|side| side - 1);
        let shape = RuntimeShape::<u32, 3>::new(lattice.sides);
        surface_nets(&lattice.values, &shape, [0; 3], last, &mut nets);
        let (origin, spacing) = (field.origin, field.spacing);
        // Lattice point 1 is the field's first.
        let place = |vertex: usize| {
            let place = lattice.on_walls(nets.surface_points[vertex], nets.positions[vertex]);
            [0, 1, 2].map(|axis| origin[axis] + (place[axis] - 1.0) * spacing)
        };
        let places: Vec<[f64; 3]> = collect(nets.positions.len(), place);
        Self {
            normals: collect(places.len(), |vertex| normal(field, places[vertex])),
            mesh: TriangleMesh {
                positions: places.iter().map(|at| at.map(|x| f64::from(x as f32))).collect(),
                triangles: nets.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect(),
            },
        }
    }

    /// Its triangles as vertices to draw, each with position and normal: those for which `seen` is
    /// true for their first corner and a vector along their own normal, and the others. Triangles in a
    /// wall of the box between these corners have the wall's normal.
    pub fn by_side(
        &self,
        ends: [[f64; 3]; 2],
        seen: impl Fn([f64; 3], [f64; 3]) -> bool,
    ) -> [Vec<f32>; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        for triangle in &self.mesh.triangles {
            let corners = triangle.map(|vertex| self.mesh.positions[vertex as usize]);
            let [a, b, c] = corners;
            let across = cross(subtract(b, a), subtract(c, a));
            let wall = wall_normal(corners, ends);
            let side = &mut sides[usize::from(!seen(a, across))];
            for (corner, vertex) in corners.into_iter().zip(triangle) {
                side.extend(corner.map(|x| x as f32));
                side.extend(wall.unwrap_or(self.normals[*vertex as usize]));
            }
        }
        sides
    }
}

/// The outward normal of the wall that contains a triangle, if any.
fn wall_normal(corners: [[f64; 3]; 3], ends: [[f64; 3]; 2]) -> Option<[f32; 3]> {
    let walls = (0..3).flat_map(|axis| [(axis, 0, -1.0), (axis, 1, 1.0)]);
    walls
        .filter(|&(axis, end, _)| {
            let wall = ends[end][axis];
            let near = 1e-5 * (ends[1][axis] - ends[0][axis]);
            let off = corners.map(|corner| (corner[axis] - wall).abs());
            off.into_iter().all(|off| off < near)
        })
        .map(|(axis, _, sign)| {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            normal
        })
        .next()
}

/// The direction of ∇φ at a position (m), by differences over a spacing to either side, as far as the field
/// extends.
fn normal(field: &Field, place: [f64; 3]) -> [f32; 3] {
    let slope = |axis: usize| {
        let first = field.origin[axis];
        let last = first + (field.size[axis] - 1) as f64 * field.spacing;
        let end = |way: f64| {
            let mut end = place;
            end[axis] = (place[axis] + way).clamp(first, last);
            end
        };
        let [before, after] = [-field.spacing, field.spacing].map(end);
        let way = after[axis] - before[axis];
        let rise = field.sample(after) - field.sample(before);
        if way > 0.0 { rise / way } else { 0.0 }
    };
    let gradient = [slope(0), slope(1), slope(2)];
    let length = norm(gradient);
    if length > 0.0 { gradient.map(|v| (v / length) as f32) } else { [0.0, 1.0, 0.0] }
}

/// The corners of a cube.
fn corners() -> impl Iterator<Item = [u32; 3]> {
    (0..8).map(|number| [number & 1, number >> 1 & 1, number >> 2])
}

/// A level set in a layer of air (two at the upper ends, since the crate leaves the last layer open).
struct Lattice {
    values: Vec<f32>,
    sides: [u32; 3],
}

impl Lattice {
    fn around(field: &Field) -> Self {
        let size = field.size;
        let sides = size.map(|side| side + 3);
        let mut values = vec![0.0; sides.iter().product()];
        Grid::visit(sides, &mut values, |lattice, value| {
            let nearest = [0, 1, 2].map(|axis| lattice[axis].clamp(1, size[axis]) - 1);
            let is_cell = (0..3).all(|axis| lattice[axis] == nearest[axis] + 1);
            let phi = field.at(nearest);
            *value = if is_cell { phi } else { phi.abs() };
        });
        Self { values, sides: sides.map(|side| side as u32) }
    }

    fn at(&self, [i, j, k]: [u32; 3]) -> f64 {
        let index = i + self.sides[0] * (j + self.sides[1] * k);
        f64::from(self.values[index as usize])
    }

    /// Position of the vertex of the cube at this lattice point, in units of the lattice: as given,
    /// except for a cube cut by a wall.
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
        for corner in corners() {
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
