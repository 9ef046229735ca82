//! §3.3: the product of the scanned mesh, traced through texture caches.

use std::rc::Rc;

use super::speed::{places_on_curve, reordered};
use crate::bolz2003::cases;
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::card::cache::Shape;
use crate::card::interpret::Order;
use crate::card::traffic::Traffic;
use crate::claim::{BoxedError, bundled};
use crate::mesh::TriangleMesh;
use crate::random::SplitMix64;
use crate::stream::{Format, Machine};

/// Order of the vertices of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// As in the file.
    File,
    /// Along a Morton curve.
    Curve,
    /// At random.
    Shuffled,
}

/// The scan with its vertices in an order.
///
/// # Errors
/// A bundled file that cannot be read.
pub fn scan(vertices: Vertices) -> Result<TriangleMesh, BoxedError> {
    let mesh = bundled::scan()?;
    let mut new: Vec<usize> = (0..mesh.positions.len()).collect();
    match vertices {
        Vertices::File => {}
        Vertices::Curve => {
            let places = places_on_curve(&mesh);
            new.sort_by_key(|&vertex| places[vertex]);
        }
        Vertices::Shuffled => SplitMix64::new(8).shuffle(&mut new),
    }
    Ok(reordered(&mesh, &new))
}

/// The traffic of one product with the scan's matrix, vectors in four channels.
///
/// # Errors
/// Errors of the machine.
pub fn traffic(
    machine: &Machine,
    vertices: Vertices,
    order: Order,
    shapes: Vec<Shape>,
) -> Result<Rc<Traffic>, BoxedError> {
    let (mesh, packing) = (scan(vertices)?, PackingOptions::default());
    let mut product = cases::product(machine, &mesh, &packing, Format::Rgba32F)?.kernel;
    Ok(Traffic::of(machine, shapes, order, || product(0))?)
}
