//! batty2003: the table's operations with one target switch each, and whole solves.
//!
//! Assumptions: a grid of 10⁶ cells, four per texel (the paper: "at least a million voxels"), and a
//! table measured on the FX 1000. With 0.8 to 1.5 million cells κ would be 1.07 to 0.49, and a target
//! switch 0.49 to 0.05 ms.

use super::passes::{
    Passes, own, pass, reduction, scaled_sum, seconds, sum_of_four, switching, with_instructions,
};
use super::timing::{Basis, Printed, Timing};
use crate::card::cost::{Card, Demand, QUADRO_FX_1000, QUADRO_FX_2000};
use crate::card::count::CountError;
use crate::stream::{Size, Source, source};

const MULTIPLY: Source = source!("batty2003/pressure/multiply");
const PRECONDITION: Source = source!("batty2003/pressure/precondition");

/// Texels per side.
const SIDE: Size = (500, 500);
/// Passes of a sum before the rest is read back.
const PASSES: usize = 7;
/// Number of solves in the table's sums, and number of calls of each operation, in the table's order.
const SOLVES: f64 = 51.0;
const CALLS: [f64; 4] = [9600.0, 19_891.0, 28_749.0, 9600.0];
/// Seconds of set-up and read-back per solve, which cross the bus.
const TRANSFERS: f64 = 0.71136 + 0.67888;

pub(super) fn timings() -> Result<Vec<Timing>, CountError> {
    let printed = |card| Printed {
        paper: "batty2003",
        section: "table",
        card,
    };
    let operations = operations()?;
    // Operations were timed with a glFinish after each, solves without.
    let finished = |name, milliseconds: f64, passes: &[Passes]| {
        let card = QUADRO_FX_1000;
        let model = seconds(&card, passes) + card.driver.finish;
        printed(card).seconds(name, Basis::Calibrated, 1e-3 * milliseconds, model)
    };
    let whole = |name, card: Card, seconds| {
        printed(card).seconds(name, Basis::HeldOut, seconds, solve(&card, &operations))
    };
    let [product, dot, scale_add, precondition] = &operations;
    Ok(vec![
        finished(("A1", "matrix–vector product"), 33.56, product),
        finished(("A2", "dot product"), 7.85, dot),
        finished(("A3", "scale-add"), 2.40, scale_add),
        finished(("A4", "precondition"), 2.30, precondition),
        whole(("A5", "whole solve"), QUADRO_FX_1000, 12.3),
        whole(("A6", "whole solve"), QUADRO_FX_2000, 10.3),
    ])
}

/// The operations in the table's order.
fn operations() -> Result<[Vec<Passes>; 4], CountError> {
    // Printed: 56 instructions, 14 fetches, 6 registers.
    let product = Demand {
        arithmetic: 42,
        fetches: 14,
        registers: 6,
        bytes: 14.0 * 16.0,
        bytes_written: 16.0,
        ..Demand::default()
    };
    // Printed: 12 instructions, 3 registers.
    let sum = Demand {
        registers: 3,
        ..with_instructions(sum_of_four()?, 12)
    };
    let mut dot = vec![pass(own(&MULTIPLY, &[])?, SIDE)];
    dot.extend(reduction(sum, sum, SIDE.0).into_iter().take(PASSES));
    let operations = [
        vec![pass(product, SIDE)],
        dot,
        vec![pass(scaled_sum()?, SIDE)],
        vec![pass(own(&PRECONDITION, &[])?, SIDE)],
    ];
    Ok(operations.map(|passes| switching(&passes)))
}

/// Seconds of a solve.
fn solve(card: &Card, operations: &[Vec<Passes>; 4]) -> f64 {
    let operations = operations.iter().zip(CALLS);
    let operations = operations.map(|(passes, calls)| calls / SOLVES * seconds(card, passes));
    TRANSFERS + operations.sum::<f64>()
}
