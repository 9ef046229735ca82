//! §3.3: the product of the scanned mesh and that of a grid, traced through texture caches and timed.

use std::rc::Rc;

use super::speed::{SIDE, measured, of_the_paper};
use crate::bolz2003::sparse::packing::PackingOptions;
use crate::bolz2003::study::cases::{self, Timed, Vertices, product_alone, scan, traffic};
use crate::card::cache::Shape;
use crate::card::traffic::Traffic;
use crate::claim::traced::{Traced, caches_of_2003, unlimited};
use crate::claim::{BoxedError, Checked, Claim, Found, Race, Run, times};
use crate::mesh::generate::sheet;
use crate::program::interpret::Order;
use crate::stream::Format;
use crate::timing::cost::all;
use crate::timing::laps::{self, Lap};

/// Least bytes of a thrashing cache relative to those of one that holds everything: each line is moved twice.
const THRASHING: f64 = 2.0;

/// Traffic in all plausible caches, and in those that hold everything.
struct Traces {
    /// Vertices as in the file, along a curve, shuffled, each batch by batch.
    batches: [Rc<Traffic>; 3],
    /// As in the file, fragment by fragment.
    fragments: Rc<Traffic>,
    /// A product with a stencil on the paper's grid.
    stencil: Rc<Traffic>,
}

/// The caches of all traces: the plausible ones, then one without a limit for each length of lines.
fn shapes() -> Vec<Shape> {
    [caches_of_2003(), [32, 64, 128].map(unlimited).to_vec()].concat()
}

fn traces(run: &mut Run<'_>) -> Result<Traces, BoxedError> {
    let machine = run.machine;
    let of = |vertices, order| traffic(machine, vertices, order, shapes());
    let mut product = Timed::Product.case(machine, &of_the_paper(run, SIDE)?)?.kernel;
    Ok(Traces {
        batches: [
            of(Vertices::File, Order::Batches)?,
            of(Vertices::Curve, Order::Batches)?,
            of(Vertices::Shuffled, Order::Batches)?,
        ],
        fragments: of(Vertices::File, Order::Fragments)?,
        stencil: Traffic::of(machine, shapes(), Order::Batches, || product(0))?,
    })
}

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

pub(super) fn access(run: &mut Run<'_>, _: &Claim) -> Checked {
    let traces = run.once(traces)?;
    let [file, curve, shuffled] = &traces.batches;
    let (by_file, by_curve, in_fragments) =
        (excess(file), excess(curve), excess(&traces.fragments));
    let orders = ratio(shuffled, curve);
    let misses = Traced::new(caches_of_2003(), |at| {
        let (fetches, misses) = file.misses();
        misses[at] as f64 / fetches as f64
    });
    let caption = "Bytes that a product with the scan's matrix moves through a texture cache, relative to a cache that \
                   holds everything; ranges over two to eight ways, plain and hashed sets.";
    let columns = [
        ("misses per fetch", &misses),
        ("as in the file", &by_file),
        ("along a curve", &by_curve),
        ("shuffled to curve", &orders),
        ("fragment by fragment", &in_fragments),
    ];
    run.table("thrashing", Traced::table(caption, &columns));
    let works = [("shuffled", Vertices::Shuffled), ("along a curve", Vertices::Curve)];
    let works = works.map(|(name, vertices)| {
        let (mesh, packing) = (scan(vertices)?, PackingOptions::default());
        let product = cases::product(run.machine, &mesh, &packing, Format::Rgba32F)?;
        Ok::<_, BoxedError>((name, product.kernel))
    });
    let timed = Race::new(all(works)?).chained(4).laps(run)?;
    let name = "bytes relative to a cache that holds everything";
    Ok(Found::new()
        .at_least(name, by_file.interval(), THRASHING)
        .headline("times the bytes")
        .shows("the same along a curve", by_curve.interval())
        .shows("share of fetches that miss", misses.interval())
        .shows("bytes in shuffled order relative to a curve", orders.interval())
        .shows("the same excess fragment by fragment", in_fragments.interval())
        .shows(
            times("as long in shuffled order as along a curve, timed"),
            timed.ratio("shuffled", "along a curve"),
        )
        .because(
            "A batch of 512 fragments executes an instruction before the next one, so that a line is evicted before \
             the same fragment needs its neighbour. The order of the vertices matters little for this. The vectors that \
             are timed here fit in the caches of the CPU: they take 0.6 MB.",
        ))
}

/// Vertices per side of a sheet, of which a vector has 64 MB: more than the second-level cache of an H100.
const LONG: u32 = 2048;

pub(super) fn long_access(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(256, LONG) - 1;
    let (sheet, packing) = (sheet(side, side), PackingOptions::default());
    let works = [("shuffled", Vertices::Shuffled), ("along a curve", Vertices::Curve)];
    let works = works.map(|(name, vertices)| {
        let mesh = cases::ordered(&sheet, vertices);
        Ok::<_, BoxedError>((name, product_alone(run.machine, &mesh, &packing, Format::Rgba32F)?))
    });
    Race::new(all(works)?).decide(run, |all| {
        Found::new()
            .raced(
                all,
                times("as long in shuffled order as along a curve"),
                laps::ratio("shuffled", "along a curve"),
            )
            .shows("rows", f64::from(side + 1).powi(2))
    })
}

pub(super) fn product_rate(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (traces, rates) = (run.once(traces)?, run.once(measured)?);
    let [file, ..] = &traces.batches;
    let bytes = ratio(&traces.stencil, file);
    let caption =
        "Bytes of a stencil product on 257² relative to those of a product with the scan's matrix.";
    run.table("product-bytes", Traced::table(caption, &[("as in the file", &bytes)]));
    let [net, _] = rates.laps(run)?;
    let timed = |lap: &Lap| lap["stencil 257²"] / lap["product"];
    Ok(Found::new()
        .ratio("products per stencil product, by bytes moved", bytes.interval())
        .headline("times")
        .shows("products per stencil product, timed", net.of(timed))
        .modelled(net.in_model(timed))
        .because(
            "Only the bytes through the texture cache are compared, not the time of a miss. The caches of a CPU hold \
             the scan's vectors, so that hardly a fetch misses here.",
        ))
}
