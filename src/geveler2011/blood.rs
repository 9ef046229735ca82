//! The stand-in for BLOOD: a bent vessel with an aneurysm and a wall of two layers.
//!
//! The authors' mesh (geveler2011 §4.2, Fig. 1c) is unpublished. This one has its 234 cells, 267
//! vertices and 64 boundary edges, and a boundary whose vertices have the same numbers of cells, so
//! that unknowns and non-zeros of every refinement are those of the paper's Table 1.

use std::f64::consts::PI;

use super::quad_mesh::{BoundaryPart, Curve, QuadMesh};

/// Sectors of the bend, a quarter of a ring.
const SECTORS: u32 = 21;
/// Rays between which the vessel opens into the aneurysm.
const NECK: [u32; 2] = [8, 12];
/// Radii at which rays are divided: two layers of wall, four of vessel.
const RADII: [f64; 7] = [5.75, 5.875, 6.0, 6.5, 7.0, 7.5, 8.0];
/// The aneurysm's radius, to the wall.
const DOME: f64 = 1.5;
/// Arcs of the dome.
const ARCS: u32 = 10;
/// The thickness of each layer of the outer wall.
const LAYER: f64 = 0.125;

/// The coarse mesh. Boundaries: `inner` and `outer` (the two sides of the bend), `dome` (the
/// aneurysm's), and `ends`.
pub fn blood() -> QuadMesh {
    let frame = Frame::new();
    let mut mesh = Builder::default();

    // The bend: seven vertices on each ray.
    for i in 0..=SECTORS {
        RADII.iter().for_each(|&r| mesh.vertex(on_ray(i, r)));
    }
    let bend = |i: u32, r: u32| 7 * i + r;
    mesh.patch(SECTORS, 6, bend);

    // §4.2, Fig. 1c: the outer wall, before and after the neck; layer 0 is the vessel's side.
    let first = mesh.count();
    let rays: Vec<u32> = (0..=NECK[0]).chain(NECK[1]..=SECTORS).collect();
    for &i in &rays {
        for layer in [1.0, 2.0] {
            mesh.vertex(match i {
                i if i == NECK[0] => frame.corner(LAYER * layer, 1.0),
                i if i == NECK[1] => frame.corner(LAYER * layer, -1.0),
                i => on_ray(i, RADII[6] + LAYER * layer),
            });
        }
    }
    let wall = |i: u32, layer: u32| match layer {
        0 => bend(i, 6),
        _ => {
            let place = if i <= NECK[0] { i } else { i - NECK[1] + NECK[0] + 1 };
            first + 2 * place + layer - 1
        }
    };
    mesh.patch(NECK[0], 2, wall);
    mesh.patch(SECTORS - NECK[1], 2, |i, layer| wall(NECK[1] + i, layer));

    // The dome, from the neck's first vertex around the outside to its last.
    let first = mesh.count();
    for arc in 1..ARCS {
        for layer in [0.0, 1.0, 2.0] {
            mesh.vertex(frame.on_dome(arc, DOME + LAYER * layer));
        }
    }
    let dome = |arc: u32, layer: u32| match arc {
        0 => wall(NECK[0], layer),
        ARCS => wall(NECK[1], layer),
        _ => first + 3 * (arc - 1) + layer,
    };
    mesh.patch(ARCS, 2, dome);

    // Inside it: three rings from a loop of fourteen vertices to the perimeter of a core of 5 × 4.
    let neck = (NECK[0]..=NECK[1]).map(|i| bend(i, 6));
    let ring: Vec<u32> = neck.chain((1..ARCS).rev().map(|arc| dome(arc, 0))).collect();
    let first = mesh.count();
    for j in 0..4 {
        (0..5).for_each(|i| mesh.vertex(frame.in_core(i, j)));
    }
    let core = |i: u32, j: u32| first + i + 5 * j;
    mesh.patch(4, 3, core);
    let perimeter: Vec<u32> = (0..5)
        .map(|i| core(i, 0))
        .chain((1..4).map(|j| core(4, j)))
        .chain((0..4).rev().map(|i| core(i, 3)))
        .chain((1..3).rev().map(|j| core(0, j)))
        .collect();
    let around = ring.len() as u32;
    let first = mesh.count();
    for (&outer, &inner) in ring.iter().zip(&perimeter) {
        let (a, b) = (mesh.at(outer), mesh.at(inner));
        for third in [1.0, 2.0] {
            mesh.vertex([0, 1].map(|k| a[k] + third / 3.0 * (b[k] - a[k])));
        }
    }
    mesh.patch(around, 3, |m, depth| {
        let m = m % around;
        match depth {
            0 => ring[m as usize],
            3 => perimeter[m as usize],
            _ => first + 2 * m + depth - 1,
        }
    });

    let circle = |centre, radius| Curve::Circle { centre, radius };
    let parts = [
        ("inner", circle([0.0; 2], RADII[0])),
        ("outer", circle([0.0; 2], RADII[6] + 2.0 * LAYER)),
        ("dome", circle(frame.centre, DOME + 2.0 * LAYER)),
        ("ends", Curve::Line),
    ];
    let parts =
        parts.map(|(name, curve)| BoundaryPart { name: name.into(), groups: Vec::new(), curve });
    let places = mesh.vertices.clone();
    let part_of = |ends: [u32; 2]| {
        let lies_on = |part: &BoundaryPart| {
            ends.iter().all(|&v| {
                let (at, on) = (places[v as usize], part.curve.nearest(places[v as usize]));
                (at[0] - on[0]).hypot(at[1] - on[1]) < 1e-9
            })
        };
        // Every point is on a line, which therefore comes last.
        parts.iter().position(lies_on).unwrap_or(parts.len()) as u32
    };
    QuadMesh::new(mesh.vertices, mesh.cells, parts.to_vec(), part_of)
        .expect("234 cells that fit together")
}

/// The point of a ray of the bend.
fn on_ray(i: u32, radius: f64) -> [f64; 2] {
    let angle = PI - f64::from(i) * PI / 2.0 / f64::from(SECTORS);
    [radius * angle.cos(), radius * angle.sin()]
}

/// Position of the aneurysm: its centre, the outward direction, and the direction along the vessel.
struct Frame {
    centre: [f64; 2],
    /// Distance of the centre from the bend's.
    distance: f64,
    u: [f64; 2],
    t: [f64; 2],
}

impl Frame {
    fn new() -> Self {
        let half_neck = RADII[6] * (PI / f64::from(SECTORS)).sin();
        let distance = RADII[6] * (PI / f64::from(SECTORS)).cos()
            + (DOME * DOME - half_neck * half_neck).sqrt();
        let u = on_ray((NECK[0] + NECK[1]) / 2, 1.0);
        Self { centre: u.map(|x| distance * x), distance, u, t: [-u[1], u[0]] }
    }

    /// The point with these coordinates relative to the bend's centre, along u and t.
    fn point(&self, u: f64, t: f64) -> [f64; 2] {
        [0, 1].map(|k| u * self.u[k] + t * self.t[k])
    }

    /// The point where the outer walls of vessel and dome meet, at this wall thickness: on the first
    /// (`side` 1) or the last ray of the neck (−1).
    fn corner(&self, thickness: f64, side: f64) -> [f64; 2] {
        let (bend, dome) = (RADII[6] + thickness, DOME + thickness);
        let along =
            (bend * bend + self.distance * self.distance - dome * dome) / (2.0 * self.distance);
        self.point(along, side * (bend * bend - along * along).sqrt())
    }

    /// The point between two arcs of the dome.
    fn on_dome(&self, arc: u32, radius: f64) -> [f64; 2] {
        let half_neck = RADII[6] * (PI / f64::from(SECTORS)).sin();
        let start = half_neck.atan2(-(DOME * DOME - half_neck * half_neck).sqrt());
        let angle = start * (1.0 - 2.0 * f64::from(arc) / f64::from(ARCS));
        self.point(self.distance + radius * angle.cos(), radius * angle.sin())
    }

    /// A point of the core.
    fn in_core(&self, i: u32, j: u32) -> [f64; 2] {
        let (along, out) = (1.0 - f64::from(i) / 2.0, 2.0 * f64::from(j) / 3.0 - 1.0);
        self.point(self.distance + 0.3 * out, 0.55 * along)
    }
}

/// Vertices and cells added so far.
#[derive(Default)]
struct Builder {
    vertices: Vec<[f64; 2]>,
    cells: Vec<[u32; 4]>,
}

impl Builder {
    fn vertex(&mut self, at: [f64; 2]) {
        self.vertices.push(at);
    }

    fn at(&self, vertex: u32) -> [f64; 2] {
        self.vertices[vertex as usize]
    }

    fn count(&self) -> u32 {
        self.vertices.len() as u32
    }

    /// Cells between `columns` + 1 times `rows` + 1 vertices.
    fn patch(&mut self, columns: u32, rows: u32, vertex: impl Fn(u32, u32) -> u32) {
        for i in 0..columns {
            for j in 0..rows {
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)];
                self.cells.push(corners.map(|(i, j)| vertex(i, j)));
            }
        }
    }
}
