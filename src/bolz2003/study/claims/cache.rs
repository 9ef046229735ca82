//! §3.3: the product with a mesh's matrix and that with a grid's stencils, traced through texture caches.

use super::works::{SIDE, of_the_paper};
use crate::base::error::BoxedError;
use crate::bolz2003::solves::{SMOOTH, smooth};
use crate::bolz2003::study::cases::{self, Timed, Vertices, ordered};
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::claim::traced::{Traced, caches_of_2003, unlimited};
use crate::experiment::{Experiment, Place, Record, Study, Takes};
use crate::program::interpret::Order;

/// Bytes relative to those of a cache with lines of the same length that holds everything.
fn excess(traffic: &Traffic) -> Traced {
    let (all, moved) = (shapes(), traffic.bytes_moved());
    Traced::new(caches_of_2003(), |at| {
        let same = all.iter().rposition(|shape| shape.line == all[at].line);
        moved[at] as f64 / moved[same.unwrap_or(at)] as f64
    })
}

/// Bytes of one trace relative to those of another.
fn ratio(one: &Traffic, other: &Traffic) -> Traced {
    let (one, other) = (one.bytes_moved(), other.bytes_moved());
    Traced::new(caches_of_2003(), |at| one[at] as f64 / other[at] as f64)
}

/// The caches of all traces: the plausible ones, then one without a limit for each length of lines.
fn shapes() -> Vec<Shape> {
    [caches_of_2003(), [32, 64, 128].map(unlimited).to_vec()].concat()
}

/// The traffic of products.
pub static TRAFFIC: Study = Study::measuring(
    "bolz2003/traffic",
    "Bytes that products move through the plausible texture caches of a card of 2003",
    Takes::of(&SMOOTH, "paper", "input"),
    &[
        (
            "excess.{file|curve|fragments}",
            "",
            "bytes of a product with a mesh's matrix through each cache, relative to one that holds everything: \
             vertices as in the file, along a curve, as in the file and fragment by fragment",
        ),
        ("misses", "", "misses per fetch, as in the file"),
        ("shuffled", "", "bytes in shuffled order relative to a curve"),
        ("stencil", "", "bytes of a stencil product on 257² relative to those as in the file"),
    ],
    traffic,
);

fn traffic(experiment: &Experiment, place: Place<'_>) -> Result<Record, BoxedError> {
    let (machine, mesh) = (place.machine, experiment.typed::<smooth::Settings>()?.mesh()?);
    let of = |vertices, order| cases::traffic(machine, &ordered(&mesh, vertices), order, shapes());
    let file = of(Vertices::File, Order::Batches)?;
    let curve = of(Vertices::Curve, Order::Batches)?;
    let shuffled = of(Vertices::Shuffled, Order::Batches)?;
    let fragments = of(Vertices::File, Order::Fragments)?;
    let mut product = Timed::Product.case(machine, &of_the_paper(machine, SIDE)?)?.kernel;
    let stencil = Traffic::of(machine, shapes(), Order::Batches, || product(0))?;
    let misses = Traced::new(caches_of_2003(), |at| {
        let (fetches, misses) = file.misses();
        misses[at] as f64 / fetches as f64
    });
    let all = [
        ("misses", "misses per fetch", misses),
        ("excess.file", "as in the file", excess(&file)),
        ("excess.curve", "along a curve", excess(&curve)),
        ("shuffled", "shuffled to curve", ratio(&shuffled, &curve)),
        ("excess.fragments", "fragment by fragment", excess(&fragments)),
    ];
    let (bytes, mut record) = (ratio(&stencil, &file), Record::new());
    record.each("stencil", bytes.values.iter().copied());
    for (name, _, traced) in &all {
        record.each(*name, traced.values.iter().copied());
    }
    let caption = "Bytes that a product with the scan's matrix moves through a texture cache, relative to a cache that \
                   holds everything; ranges over two to eight ways, plain and hashed sets.";
    let columns: Vec<_> = all.iter().map(|(_, name, traced)| (*name, traced)).collect();
    record.table("thrashing", Traced::table(caption, &columns));
    let caption =
        "Bytes of a stencil product on 257² relative to those of a product with the scan's matrix.";
    record.table("product-bytes", Traced::table(caption, &[("as in the file", &bytes)]));
    Ok(record)
}
