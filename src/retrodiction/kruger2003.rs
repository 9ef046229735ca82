//! kruger2003: section 6, on a Radeon 9800, four entries per texel.
//!
//! Assumptions: 380 MHz (with 325 the worst timing differs by a factor of 1.29); one diagonal per pass in the dense and
//! the banded product; two operands in all three sums of a CG iteration; five iterations per step for water of 512²,
//! as for 1024².

use super::passes::{
    Passes, own, pass, product, product_of_four, reduction, repeated, scaled_sum, sum_of_four,
};
use super::timing::{Basis, Printed, Timing};
use crate::card::cost::RADEON_9800;
use crate::card::count::CountError;
use crate::stream::{Source, source};

const DIAGONALS: Source = source!("kruger2003/matrices/diagonals");

/// Texels per side of a vector with 4096 entries.
const SHORT: u32 = 32;

pub(super) fn timings() -> Result<Vec<Timing>, CountError> {
    let vectors = Printed {
        paper: "kruger2003",
        section: "§6",
        card: RADEON_9800,
    };
    let (fitted, held_out) = (Basis::Calibrated, Basis::HeldOut);
    let timed = |name, basis, milliseconds: f64, passes: &[Passes]| {
        vectors.timing(name, basis, 1e-3 * milliseconds, passes)
    };
    let multiply = product()?;
    let products = |side| [pass(multiply, (side, side))];
    let sum = sum_of_four()?;
    let one = own(&DIAGONALS, &[("DIAGONALS", "1"), ("CONTINUED", "1")])?;
    let one = [pass(one, (SHORT, SHORT))];
    let (small, large) = (iteration(256)?, iteration(512)?);
    let water = ("K10", "water, 1024²: 13 per second");
    let small_water = ("K11", "water, 512²: 43 per second");
    let fluid = ("K12", "Navier–Stokes, 1024²: its CG");
    Ok(vec![
        timed(("K1", "vector product, 512²"), fitted, 0.2, &products(256)),
        timed(
            ("K2", "vector product, 1024²"),
            fitted,
            0.72,
            &products(512),
        ),
        timed(
            ("K3", "vector product, 2048²"),
            fitted,
            2.8,
            &products(1024),
        ),
        timed(
            ("K4", "dense matrix, 4096²"),
            fitted,
            230.0,
            &repeated(4096.0, &one),
        ),
        timed(
            ("K5", "ten diagonals of 4096²"),
            fitted,
            0.72,
            &repeated(10.0, &one),
        ),
        timed(
            ("K6", "reduction, 1024²"),
            fitted,
            1.6,
            &reduction(sum, sum, 512),
        ),
        timed(
            ("K7", "reduction, 2048²"),
            fitted,
            5.4,
            &reduction(sum, sum, 1024),
        ),
        timed(
            ("K8", "six diagonals of 1024² rows"),
            fitted,
            4.54,
            &six_diagonals(512)?,
        ),
        timed(("K9", "CG iteration, 1024²"), held_out, 15.4, &large),
        vectors.timing(water, held_out, 1.0 / 13.0, &repeated(5.0, &large)),
        vectors.timing(small_water, held_out, 1.0 / 43.0, &repeated(5.0, &small)),
        vectors.timing(fluid, Basis::Share, 1.0 / 9.0, &repeated(4.0, &large)),
    ])
}

/// The product of the wave equation's matrix in two passes of three diagonals each.
fn six_diagonals(side: u32) -> Result<[Passes; 2], CountError> {
    let three = ("DIAGONALS", "3");
    let first = own(&DIAGONALS, &[three])?;
    let second = own(&DIAGONALS, &[three, ("CONTINUED", "1")])?;
    Ok([first, second].map(|demand| pass(demand, (side, side))))
}

/// An iteration of CG as listed in the paper: a product, three sums, three scaled additions.
fn iteration(side: u32) -> Result<Vec<Passes>, CountError> {
    let sum = reduction(product_of_four()?, sum_of_four()?, side);
    let add = pass(scaled_sum()?, (side, side));
    Ok([
        &six_diagonals(side)?[..],
        &repeated(3.0, &sum),
        &repeated(3.0, &[add]),
    ]
    .concat())
}
