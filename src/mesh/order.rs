//! Orders of the vertices of a mesh.

use super::TriangleMesh;
use super::vector::Vector;

/// The mesh with its vertices in this order.
pub fn reordered(mesh: &TriangleMesh, order: &[usize]) -> TriangleMesh {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        // Indices of meshes have 32 bits.
        place[old] = new as u32;
    }
    let renumbered = |triangle: &[u32; 3]| triangle.map(|vertex| place[vertex as usize]);
    TriangleMesh {
        positions: order.iter().map(|&old| mesh.positions[old]).collect(),
        triangles: mesh.triangles.iter().map(renumbered).collect(),
    }
}

/// Position of each vertex on the Morton curve, with ten bits per coordinate, interleaved.
pub fn places_on_curve(mesh: &TriangleMesh) -> Vec<u32> {
    let coordinates = || mesh.positions.iter().flatten().copied();
    let low = coordinates().fold(f64::INFINITY, f64::min);
    let high = coordinates().fold(f64::NEG_INFINITY, f64::max);
    let scale = 1023.0 / (high - low) as f32;
    let place = |position: &Vector| {
        let bits = position.map(|x| ((x - low) as f32 * scale) as u32);
        let turn = |k: u32, axis: u32| ((bits[axis as usize] >> k) & 1) << (3 * k + axis);
        (0..30).fold(0, |place, bit| place | turn(bit / 3, bit % 3))
    };
    mesh.positions.iter().map(place).collect()
}
