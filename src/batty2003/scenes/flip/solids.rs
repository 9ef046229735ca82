//! Solids: their distance at the cells' corners, the open share of each face, and inflow through them. Without it no
//! liquid could follow through walls and solids that an inflow touches.

use crate::mesh::vector::{norm, scale};

use super::grid::{Faces, Field, Grid};
use super::scene::{Inflow, Shape};

/// Faces with a smaller open share count as closed: the flow through slivers does not matter for a picture,
/// but their entries would spread the matrix over as many orders of magnitude.
const LEAST_OPEN: f64 = 0.01;

/// Distance, in cells, below which a corner is on a surface: a solid that ends at the glass or at a corner of
/// the grid ends there exactly, however its coordinates are rounded.
const ON_SURFACE: f64 = 1e-5;

/// The corners of a square, in order around it.
const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// The solids. The walls of the box are solid too.
#[derive(Debug, Clone)]
pub struct Solids {
    distance: Option<Field>,
    /// Open share of each face, from 0 to 1. The walls are closed.
    pub open: Faces,
}

impl Solids {
    /// Creates solids of these shapes.
    pub fn new(grid: Grid, shapes: &[Shape]) -> Self {
        let distance = (!shapes.is_empty()).then(|| corners(grid, shapes));
        let mut open = Faces::constant(grid, 1.0);
        for axis in 0..3 {
            Grid::visit(grid.faces(axis), &mut open.across[axis], |at, face| {
                let wall = at[axis] == 0 || at[axis] == grid.size[axis];
                *face = match &distance {
                    _ if wall => 0.0,
                    Some(distance) => open_share(distance, axis, at),
                    None => 1.0,
                };
            });
        }
        Self { distance, open }
    }

    /// Tests whether there are any besides the walls.
    pub fn any(&self) -> bool {
        self.distance.is_some()
    }

    /// Distance of a position from a solid (m), negative inside one. Walls do not count.
    pub fn distance(&self, at: [f64; 3]) -> f64 {
        (self.distance.as_ref()).map_or(f64::INFINITY, |distance| distance.sample(at))
    }

    /// The direction away from solids, of length 1, if there are any.
    pub fn normal(&self, at: [f64; 3]) -> Option<[f64; 3]> {
        let gradient = self.distance.as_ref()?.gradient(at);
        let length = norm(gradient);
        (length > 0.0).then(|| scale(1.0 / length, gradient))
    }

    /// Open share of a cell's volume, from 0 to 1: as if the surface were planar in it.
    pub fn openness(&self, cell: [usize; 3]) -> f64 {
        let grid = self.open.grid;
        (0.5 + self.distance(grid.centre(cell)) / grid.spacing).clamp(0.0, 1.0)
    }
}

/// The parts of the box that solids separate.
#[derive(Debug, Clone)]
pub struct Regions {
    /// The region of each cell; a cell inside a solid has none.
    pub of: Vec<Option<usize>>,
    /// Number of regions.
    pub count: usize,
}

impl Regions {
    /// The cells that open faces connect, in the order of their first cells.
    pub fn new(open: &Faces) -> Self {
        let grid = open.grid;
        let mut regions = Self { of: vec![None; grid.cells()], count: 0 };
        for start in 0..grid.cells() {
            let mut cells = vec![start];
            while let Some(cell) = cells.pop() {
                for (axis, neighbour) in Grid::neighbours(grid.size, cell) {
                    let is_open = open.before(axis, grid.cell(cell.max(neighbour))) > 0.0;
                    if is_open && regions.of[neighbour].is_none() {
                        regions.of[neighbour] = Some(regions.count);
                        cells.push(neighbour);
                    }
                }
            }
            regions.count += usize::from(regions.of[start] == Some(regions.count));
        }
        regions
    }
}

/// The distance from the nearest shape at every corner of every cell.
fn corners(grid: Grid, shapes: &[Shape]) -> Field {
    let size = grid.size.map(|n| n + 1);
    let mut values = vec![0.0; size.iter().product()];
    Grid::visit(size, &mut values, |at, value| {
        let at = at.map(|i| i as f64 * grid.spacing);
        let distances = shapes.iter().map(|shape| shape.distance(at));
        let distance = distances.fold(f64::INFINITY, f64::min);
        *value = if distance.abs() < ON_SURFACE * grid.spacing { 0.0 } else { distance as f32 };
    });
    Field::new(size, [0.0; 3], grid.spacing, values)
}

/// Open share of a face, from the distances at its four corners.
fn open_share(distance: &Field, axis: usize, at: [usize; 3]) -> f64 {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let corner = |du: usize, dv: usize| {
        let mut corner = at;
        corner[u] += du;
        corner[v] += dv;
        f64::from(distance.at(corner))
    };
    let share = outside_share([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]);
    if share < LEAST_OPEN { 0.0 } else { share }
}

/// The share of a square in which a distance is positive, from its values at the corners, in order around the
/// square: straight lines separate off the rest. A surface belongs to its solid, so that a square on it is closed.
fn outside_share(corners: [f64; 4]) -> f64 {
    let inside = corners.map(|distance| distance <= 0.0);
    // Two opposite corners: the middle decides whether the solid or the opening is connected.
    let is_saddle = inside[0] == inside[2] && inside[1] == inside[3] && inside[0] != inside[1];
    if is_saddle && corners.iter().sum::<f64>() < 0.0 {
        return 1.0 - outside_share(corners.map(|distance| -distance));
    }
    // The outline of the open part: its corners, and the crossings of its border with the sides.
    let mut outline = Vec::with_capacity(8);
    for at in 0..4 {
        let (here, next) = (corners[at], corners[(at + 1) % 4]);
        let [x, y] = SQUARE[at];
        if !inside[at] {
            outline.push([x, y]);
        }
        if inside[at] != inside[(at + 1) % 4] {
            let (share, [x_next, y_next]) = (here / (here - next), SQUARE[(at + 1) % 4]);
            outline.push([x + share * (x_next - x), y + share * (y_next - y)]);
        }
    }
    let turned = outline.iter().cycle().skip(1);
    let areas = (outline.iter().zip(turned)).map(|(a, b)| 0.5 * (a[0] * b[1] - a[1] * b[0]));
    areas.sum()
}

/// The flow through the closed part of each face, (1 − w) v with the inflow's velocity v.
#[derive(Debug)]
pub struct Entering(Faces);

impl Entering {
    /// Creates it for these inflows; none if there are no inflows.
    pub fn new<'a>(solids: &Solids, inflows: impl IntoIterator<Item = &'a Inflow>) -> Option<Self> {
        let grid = solids.open.grid;
        let mut entering = None;
        for inflow in inflows {
            let faces = entering.get_or_insert_with(|| Faces::constant(grid, 0.0));
            for number in 0..grid.cells() {
                let cell = grid.cell(number);
                if inflow.shape.distance(grid.centre(cell)) < 0.0 {
                    set_around(faces, cell, solids, inflow.velocity);
                }
            }
        }
        entering.map(Self)
    }

    /// Its contribution to a cell's divergence (1/s).
    pub fn divergence(&self, cell: [usize; 3]) -> f64 {
        let flow = |axis| self.0.after(axis, cell) - self.0.before(axis, cell);
        (flow(0) + flow(1) + flow(2)) / self.0.grid.spacing
    }

    /// Gives closed faces the velocity of the inflow through them.
    pub fn constrain(&self, velocity: &mut Faces, solids: &Solids) {
        for axis in 0..3 {
            let faces = velocity.across[axis].iter_mut().zip(&self.0.across[axis]);
            for ((u, &entering), &open) in faces.zip(&solids.open.across[axis]) {
                if open == 0.0 && entering != 0.0 {
                    *u = entering;
                }
            }
        }
    }
}

/// Sets the flow through the six faces of a cell.
fn set_around(faces: &mut Faces, cell: [usize; 3], solids: &Solids, velocity: [f64; 3]) {
    let grid: Grid = faces.grid;
    for (axis, speed) in velocity.into_iter().enumerate() {
        for after in [0, 1] {
            let mut place = cell;
            place[axis] += after;
            let closed = 1.0 - solids.open.before(axis, place);
            faces.across[axis][grid.face(axis, place)] = closed * speed;
        }
    }
}
