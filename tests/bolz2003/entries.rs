//! The kernels that compute a mesh's matrix (Bolz et al. 2003, section 3.1.2) against mathematics that
//! knows nothing of textures: linear finite elements, angles known in closed form.

use super::invariants::{check_packing, check_pointers};
use approx::assert_relative_eq;
use fragstream::bolz2003::sparse::flow::{FlowLayout, GeometricFlow};
use fragstream::bolz2003::sparse::packing::{Packing, PackingOptions};
use fragstream::mesh::{Connectivity, TriangleMesh, VertexKind, generate};
use fragstream::solver::{Criteria, Lu};
use fragstream::stream::{Machine, Stream, StreamError};

use crate::common::geometry::{Point, cross, dot, minus, norm};
use crate::common::machine;

/// A mesh with the one-ring of every vertex; vertices whose ring is open are known.
struct Mesh {
    points: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    rings: Connectivity,
}

impl Mesh {
    fn new(points: Vec<Point>, triangles: Vec<[u32; 3]>) -> Self {
        let points: Vec<Point> = points.iter().map(|p| p.map(|v| f64::from(v as f32))).collect();
        let mesh = TriangleMesh { positions: points.clone(), triangles: triangles.clone() };
        Mesh { points, triangles, rings: Connectivity::new(&mesh).unwrap() }
    }

    /// The mesh in textures, its matrix computed.
    fn flow(&self, machine: &Machine, rectangle: [u32; 2]) -> (Packing, GeometricFlow) {
        let options = PackingOptions { rectangle, ..Default::default() };
        let layout = FlowLayout::new(&self.rings, &options).unwrap();
        let packing = layout.packing.clone();
        check_packing(&packing);
        for pointers in &layout.pointers {
            check_pointers(&packing, pointers);
        }
        let flow = GeometricFlow::new(machine, &self.points, layout).unwrap();
        flow.compute_entries(LAMBDA_DT).unwrap();
        (packing, flow)
    }

    /// A third of the surface belongs to each vertex of a triangle; here all of it does, as in the
    /// paper's A_i: "the area of the triangles incident to vertex i".
    fn areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.points.len()];
        for t in &self.triangles {
            let [a, b, c] = t.map(|v| self.points[v as usize]);
            let area = norm(cross(minus(b, a), minus(c, a))) / 2.0;
            t.iter().for_each(|&v| areas[v as usize] += area);
        }
        areas
    }

    /// The stiffness matrix of linear finite elements on the surface, element by element:
    /// ∫ ∇φ_i · ∇φ_j, with ∇φ = (opposite edge turned by a right angle) / (2 area).
    fn stiffness(&self) -> Vec<Vec<f64>> {
        let n = self.points.len();
        let mut stiffness = vec![vec![0.0; n]; n];
        for t in &self.triangles {
            let p = t.map(|v| self.points[v as usize]);
            let normal = cross(minus(p[1], p[0]), minus(p[2], p[0]));
            let twice_the_area = norm(normal);
            let gradient: [Point; 3] = std::array::from_fn(|corner| {
                let opposite = minus(p[(corner + 2) % 3], p[(corner + 1) % 3]);
                cross(normal, opposite).map(|g| g / (twice_the_area * twice_the_area))
            });
            for (a, &i) in t.iter().enumerate() {
                for (b, &j) in t.iter().enumerate() {
                    stiffness[i as usize][j as usize] +=
                        dot(gradient[a], gradient[b]) * twice_the_area / 2.0;
                }
            }
        }
        stiffness
    }
}

/// A bumpy sheet with a boundary; obtuse angles make some cotangents negative.
fn sheet(columns: u32, rows: u32) -> Mesh {
    let points = (0..rows).flat_map(|v| {
        (0..columns).map(move |u| {
            let (x, y) = (f64::from(u), f64::from(v));
            [x + 0.6 * (y * 1.7).sin(), 0.5 * y, (0.9 * x).sin() * (1.3 * y).cos()]
        })
    });
    let triangles = (0..rows - 1).flat_map(|v| {
        (0..columns - 1).flat_map(move |u| {
            let a = v * columns + u;
            [[a, a + 1, a + columns + 1], [a, a + columns + 1, a + columns]]
        })
    });
    Mesh::new(points.collect(), triangles.collect())
}

/// A pyramid over a polygon, closed below: its tip and its base have rows of `sides` entries.
fn bipyramid(sides: u32) -> Mesh {
    let angle = |k: u32| std::f64::consts::TAU * f64::from(k) / f64::from(sides);
    let mut points: Vec<Point> =
        (0..sides).map(|k| [angle(k).cos(), angle(k).sin(), 0.0]).collect();
    points.extend([[0.0, 0.0, 1.0], [0.1, 0.0, -0.5]]);
    let sector = |k| {
        let l = (k + 1) % sides;
        [[sides, k, l], [sides + 1, l, k]]
    };
    Mesh::new(points, (0..sides).flat_map(sector).collect())
}

const LAMBDA_DT: f64 = 0.37;

/// What single precision may leave of an entry.
const ROUNDING: f64 = 1e-5;

fn read(stream: &Stream) -> Vec<f64> {
    let values: Result<Vec<f32>, StreamError> = stream.read();
    values.unwrap().into_iter().map(f64::from).collect()
}

/// a_ij and a_ii of every unknown's row, as a dense matrix.
fn computed_matrix(
    machine: &Machine,
    mesh: &Mesh,
    rectangle: [u32; 2],
) -> (Packing, Vec<Vec<f64>>) {
    let (packing, flow) = mesh.flow(machine, rectangle);
    let off_diagonal = read(&flow.matrix.off_diagonal);
    let diagonal = read(&flow.matrix.diagonal);
    let n = mesh.points.len();
    let mut dense = vec![vec![0.0; n]; n];
    for (i, group) in packing.rows() {
        dense[i][i] = diagonal[packing.index(packing.texel[i])];
        for (c, k) in mesh.rings.ring(i).enumerate() {
            let place = packing.entry_index(i, group, c as u32);
            dense[i][mesh.rings.neighbours()[k] as usize] = off_diagonal[place];
        }
    }
    assert!(off_diagonal.iter().all(|entry| entry.is_finite()), "padding is zero, not 0/0");
    (packing, dense)
}

fn meshes() -> Vec<Mesh> {
    vec![sheet(9, 7), bipyramid(31)]
}

#[test]
fn the_entries_are_those_of_linear_finite_elements() {
    let machine = machine();
    // a_ij = 2 λΔt S_ij beside the diagonal, and 4 A_i + 2 λΔt S_ii on it.
    for mesh in meshes() {
        for rectangle in [[26, 18], [3, 5], [1, 1]] {
            let (packing, found) = computed_matrix(&machine, &mesh, rectangle);
            let (stiffness, areas) = (mesh.stiffness(), mesh.areas());
            for (i, _) in packing.rows() {
                for j in 0..mesh.points.len() {
                    let mass = if i == j { 4.0 * areas[i] } else { 0.0 };
                    let expected = mass + 2.0 * LAMBDA_DT * stiffness[i][j];
                    let bound = ROUNDING * found[i][i];
                    assert_relative_eq!(found[i][j], expected, epsilon = bound);
                }
            }
        }
    }
}

#[test]
fn the_right_hand_side_is_four_areas_times_the_position() {
    let machine = machine();
    for mesh in meshes() {
        let (packing, flow) = mesh.flow(&machine, [3, 5]);
        let right = read(flow.right_hand_side());
        let found = packing.gather(right.as_chunks::<4>().0);
        let areas = mesh.areas();
        for (i, &kind) in mesh.rings.kind().iter().enumerate() {
            for (channel, &x) in mesh.points[i].iter().enumerate() {
                let expected = match kind {
                    VertexKind::Interior => 4.0 * areas[i] * x,
                    _ => 0.0,
                };
                assert_relative_eq!(found[i][channel], expected, max_relative = ROUNDING);
            }
        }
    }
}

#[test]
fn a_refined_step_has_the_digits_that_are_asked_for() {
    let machine = machine();
    let mut torus = generate::torus(300, 4);
    generate::add_normal_noise(&mut torus, 0.01, 4);
    // A fifth of a squared edge: vertices move by hundredths of an edge, forty edges from the far side.
    let lambda_dt = 0.01;
    let mesh = Mesh::new(torus.positions, torus.triangles.clone());
    // As in textures.
    torus.positions = mesh.points.clone();
    // (4M + 2λΔt K) d = −2λΔt K x
    let n = mesh.points.len();
    let (stiffness, areas) = (mesh.stiffness(), mesh.areas());
    let [mut entries, mut right] = [Vec::new(), vec![0.0; 3 * n]];
    for (i, row) in stiffness.iter().enumerate() {
        for (j, k) in row.iter().enumerate() {
            let mass = if i == j { 4.0 * areas[i] } else { 0.0 };
            entries.push(mass + 2.0 * lambda_dt * k);
            for axis in 0..3 {
                right[3 * i + axis] -= 2.0 * lambda_dt * k * mesh.points[j][axis];
            }
        }
    }
    let expected = Lu::new(n, entries).unwrap().solve(3, &right);
    let (expected, _) = expected.as_chunks::<3>();
    let largest = expected.iter().copied().map(norm).fold(0.0, f64::max);
    let (_, flow) = mesh.flow(&machine, [26, 18]);
    for (rtol, bound) in [(1e-6, 1e-4), (1e-8, 1e-7)] {
        for preconditioned in [false, true] {
            let criteria = Criteria::to(rtol);
            let (outcome, ending, found) = flow
                .step_refined(&torus, &mesh.rings, lambda_dt, preconditioned, &criteria)
                .unwrap();
            assert!(ending.is_converged(), "{outcome:?}");
            for (&found, &expected) in found.iter().zip(expected) {
                let error = norm(minus(found, expected)) / largest;
                assert!(error < bound, "{error:e} at --rtol {rtol:e}");
            }
        }
    }
}
