//! The surface as a mesh, against spheres and boxes.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use fragstream::batty2003::scenes::flip::Field;
use fragstream::batty2003::scenes::picture::Surface;
use fragstream::mesh::measure::{area, enclosed_volume};

use crate::common::geometry::{dot, minus, norm, unit};

/// The surface φ = 0 in a box of n cells, φ a function of the place; 1 is the longest side.
pub fn surface(size: [usize; 3], phi: impl Fn([f64; 3]) -> f64) -> Surface {
    let spacing = 1.0 / size.into_iter().max().unwrap() as f64;
    let mut values = Vec::new();
    for k in 0..size[2] {
        for j in 0..size[1] {
            for i in 0..size[0] {
                values.push(phi([i, j, k].map(|at| (at as f64 + 0.5) * spacing)) as f32);
            }
        }
    }
    let field = Field::new(size, [0.5 * spacing; 3], spacing, values);
    Surface::of(&field)
}

/// That each edge has two triangles, which run along it in opposite directions.
fn assert_closed(surface: &Surface) {
    let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for t in &surface.mesh.triangles {
        for [a, b] in [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]] {
            let forth = edges.entry([a.min(b), a.max(b)]).or_default();
            *forth += if a < b { 1 } else { 1 << 16 };
        }
    }
    assert!(!edges.is_empty());
    for (edge, directions) in edges {
        assert_eq!(directions, 1 + (1 << 16), "edge {edge:?}");
    }
}

#[test]
fn a_sphere_is_closed_and_its_measures_converge_at_second_order() {
    let (centre, radius) = ([0.52, 0.47, 0.5], 0.33);
    let errors = [16, 32].map(|n| {
        let ball = surface([n; 3], |at| norm(minus(at, centre)) - radius);
        assert_closed(&ball);
        for (place, normal) in ball.mesh.positions.iter().zip(&ball.normals) {
            let place = place.map(f64::from);
            let from_centre = minus(place, centre);
            let off = norm(from_centre) - radius;
            // Half a cube's diagonal subtends 3/8 h^2/r; a crossing on an edge is off by h^2/(8 r).
            assert!(off.abs() < 0.5 / (n * n) as f64 / radius, "{off}");
            let outward = dot(normal.map(f64::from), unit(from_centre));
            assert!(outward > 1.0 - 1.0 / (n * n) as f64, "{outward}");
        }
        let of_area = area(&ball.mesh) / (4.0 * PI * radius.powi(2)) - 1.0;
        let of_volume = enclosed_volume(&ball.mesh) / (4.0 / 3.0 * PI * radius.powi(3)) - 1.0;
        [of_area, of_volume].map(f64::abs)
    });
    for (coarse, fine) in errors[0].into_iter().zip(errors[1]) {
        assert!(coarse < 0.05, "{errors:?}");
        assert!((3.0..5.5).contains(&(coarse / fine)), "{errors:?}");
    }
}

#[test]
fn the_walls_close_a_pool_exactly() {
    for (size, level) in [([8, 6, 4], 0.41), ([5, 7, 1], 0.6), ([4, 4, 4], 9.0)] {
        let pool = surface(size, |at| at[1] - level);
        assert_closed(&pool);
        let longest = size.into_iter().max().unwrap() as f64;
        let [x, y, z] = size.map(|side| side as f64 / longest);
        let level = level.min(y);
        let volume = enclosed_volume(&pool.mesh);
        assert!((volume - x * level * z).abs() < 1e-6, "{size:?}: {volume}");
        let sides = 2.0 * (x * level + level * z + z * x);
        assert!((area(&pool.mesh) - sides).abs() < 1e-6, "{size:?}");
        for axis in 0..3 {
            let most = pool.mesh.positions.iter().map(|p| p[axis]).fold(0.0, f64::max);
            let wall = [x, level, z][axis];
            assert!((most - wall).abs() < 1e-6, "{size:?}");
        }
    }
}

#[test]
fn a_plane_that_meets_walls_at_a_slant_encloses_what_lies_below_it() {
    let slanted = surface([12, 12, 12], |at| at[1] - 0.2 - 0.4 * at[0]);
    assert_closed(&slanted);
    let volume = enclosed_volume(&slanted.mesh);
    assert!((volume - 0.4).abs() < 2e-3, "{volume}");
}

#[test]
fn a_box_without_liquid_has_no_surface() {
    let none = surface([4, 3, 2], |_| 1.0);
    assert!(none.mesh.triangles.is_empty() && none.mesh.positions.is_empty());
}
