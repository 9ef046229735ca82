//! goodnight2003: the rates of section 7.1 on a GeForce FX.

use super::passes::{own, pass, with_instructions};
use super::timing::{Basis, Printed, Timing};
use crate::card::cost::{Demand, GEFORCE_FX_5800_ULTRA};
use crate::card::count::CountError;
use crate::stream::{Source, source};

const SMOOTH: Source = source!(
    "goodnight2003/multigrid/fastpath/smooth",
    with "goodnight2003/multigrid/red_black", "goodnight2003/multigrid/relaxed_stored"
);
const CONSTANT: Source = source!("goodnight2003/speed/constant");

/// Nodes per side.
const SIDE: u32 = 1025;
/// Approximate bytes per second of both programs.
const RATE: f64 = 8e9;

pub(super) fn timings() -> Result<Vec<Timing>, CountError> {
    let printed = Printed {
        paper: "goodnight2003",
        section: "§7.1",
        card: GEFORCE_FX_5800_ULTRA,
    };
    // Printed: 20 instructions, 4 registers.
    let smooth = Demand {
        registers: 4,
        ..with_instructions(own(&SMOOTH, &[])?, 20)
    };
    let constant = own(&CONSTANT, &[])?;
    // 16-bit numbers: half of all stored bytes.
    let halved = Demand {
        registers: 2,
        bytes: 0.5 * smooth.bytes,
        bytes_written: 0.5 * smooth.bytes_written,
        ..smooth
    };
    let timing = |name, basis, demand: Demand| {
        let bytes = demand.bytes + demand.bytes_written;
        let seconds = f64::from(SIDE) * f64::from(SIDE) * bytes / RATE;
        printed.timing(name, basis, seconds, &[pass(demand, (SIDE, SIDE))])
    };
    Ok(vec![
        timing(("G1", "smooth, 1025²"), Basis::Calibrated, smooth),
        timing(("G2", "constant, 1025²"), Basis::HeldOut, constant),
        timing(
            ("G3", "smooth in 16 bits: half of it"),
            Basis::HeldOut,
            halved,
        ),
    ])
}
