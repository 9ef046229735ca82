//! §7.1: the bytes of a smoother and of a constant, through texture caches.

use crate::card::interpret::Order;
use crate::card::traffic::Traffic;
use crate::claim::traced::{Traced, caches_of_2003};
use crate::claim::{Checked, Claim, Found, Run};
use crate::goodnight2003::cases::half_sweep;
use crate::stream::Format;

/// The paper's grid.
const SIDE: u32 = 1025;
/// Seconds of the smoother and of the constant (§7.1).
const SECONDS: [f64; 2] = [16.8e-3, 2.1e-3];

pub(super) fn bandwidth(run: &mut Run<'_>, _: &Claim) -> Checked {
    let side = run.pick(257, SIDE);
    let mut sweep = half_sweep(run.machine, side)?;
    let traffic = Traffic::of(run.machine, caches_of_2003(), Order::Batches, || sweep(0))?;
    let written = Format::Rgba32F.bytes() as f64 * f64::from(side).powi(2);
    let moved = traffic.bytes_moved();
    let rates = Traced::new(caches_of_2003(), |at| {
        (moved[at] as f64 + written) / SECONDS[0] / (written / SECONDS[1])
    });
    let per_node = Traced::new(caches_of_2003(), |at| moved[at] as f64 / written);
    let caption = "Bytes per second of the smoother relative to the constant's, by the paper's times; ranges over two to \
                   eight ways, plain and hashed sets.";
    let columns = [("bytes per second", &rates), ("texels moved per node", &per_node)];
    run.table("bandwidth-cache", Traced::table(caption, &columns));
    Ok(Found::new()
        .ratio("times the constant's bytes per second", rates.interval())
        .shows("texels moved per node", per_node.interval())
        .because("The bytes are those that pass a texture cache, and the seconds are the paper's."))
}
