//! bolz2003: rates on a GeForce FX; the paper itself subtracts target switches.
//!
//! Assumption: "interpolation" is the cycle's "interpolate & correct", with the finer grid's own value as a
//! fifth fetch among its ten instructions. Without that it would take 0.16 ms, 0.75 of the paper's.

use super::passes::{
    Passes, over, own, pass, reduction, repeated, scaled_sum, sum_of_four, with_instructions,
};
use super::timing::{Basis, Printed, Timing};
use crate::card::cost::{Area, Demand, GEFORCE_FX_5800_ULTRA};
use crate::card::count::CountError;
use crate::stream::{Source, source};

const PRODUCT: Source = source!("bolz2003/sparse/spmv");
const INTERPOLATION: Source = source!(
    "bolz2003/grid/transfer/correct",
    with "bolz2003/grid/grid_inner"
);
const PROJECTION: Source = source!(
    "bolz2003/grid/transfer/project",
    with "bolz2003/grid/grid_inner"
);
const STENCIL: Source = source!(
    "bolz2003/grid/stencil/product",
    with "bolz2003/grid/stencil/stencil_entries",
         "bolz2003/grid/stencil/stored_stencil",
         "bolz2003/grid/grid_inner"
);
const JACOBI: Source = source!(
    "bolz2003/grid/stencil/jacobi",
    with "bolz2003/grid/stencil/stencil_entries",
         "bolz2003/grid/stencil/stored_stencil",
         "bolz2003/grid/grid_inner"
);
const RESIDUAL: Source = source!(
    "bolz2003/grid/stencil/residual",
    with "bolz2003/grid/stencil/stencil_entries",
         "bolz2003/grid/stencil/stored_stencil",
         "bolz2003/grid/grid_inner"
);

/// Rows of the matrix timed in section 3.3.
const ROWS: u64 = 37_000;
/// They fill a square of this side.
const SIDE: u32 = 200;

pub(super) fn timings() -> Result<Vec<Timing>, CountError> {
    let meshes = Printed {
        paper: "bolz2003",
        section: "§3.3",
        card: GEFORCE_FX_5800_ULTRA,
    };
    let grids = Printed {
        section: "§4.3",
        ..meshes
    };
    // Rows are packed into rectangles of whole batches.
    let rows = Area {
        fragments: ROWS,
        tuples: ROWS.div_ceil(4),
    };
    let product = [over(own(&PRODUCT, &[("ROW_LENGTH", "6.0")])?, rows)];
    let sum = with_instructions(sum_of_four()?, 10);
    let sum = reduction(sum, sum, SIDE);
    let iteration = [
        &product[..],
        &repeated(2.0, &sum),
        &repeated(3.0, &[pass(scaled_sum()?, (SIDE, SIDE))]),
    ];
    let cycle = cycle(257)?;
    let [stencil, interpolation, projection] = [
        with_instructions(own(&STENCIL, &[])?, 27),
        with_instructions(own(&INTERPOLATION, &[])?, 10),
        with_instructions(own(&PROJECTION, &[])?, 19),
    ];
    let (fitted, held_out) = (Basis::Calibrated, Basis::HeldOut);
    Ok(vec![
        meshes.timing(
            ("B1", "product, 37 000 rows"),
            Basis::Witness,
            1.0 / 120.0,
            &product,
        ),
        meshes.timing(("B2", "reduction, 200²"), fitted, 1.0 / 3400.0, &sum),
        grids.timing(
            ("B3", "stencil, 129² of four"),
            fitted,
            1.0 / 1370.0,
            &square(stencil, 129),
        ),
        grids.timing(
            ("B4", "interpolation to 129²"),
            fitted,
            1.0 / 4800.0,
            &square(interpolation, 129),
        ),
        grids.timing(
            ("B5", "projection to 65²"),
            fitted,
            1.0 / 6000.0,
            &square(projection, 65),
        ),
        meshes.timing(
            ("B6", "CG iteration"),
            held_out,
            1.0 / 110.0,
            &iteration.concat(),
        ),
        grids.timing(
            ("B7", "time step, 513², 2 V(4,2)"),
            held_out,
            1.0 / 20.0,
            &repeated(2.0, &cycle),
        ),
    ])
}

fn square(demand: Demand, side: u32) -> [Passes; 1] {
    [pass(demand, (side, side))]
}

/// V(4,2) from this many texels per side down to 9, four nodes per texel.
fn cycle(side: u32) -> Result<Vec<Passes>, CountError> {
    let (jacobi, residual) = (own(&JACOBI, &[])?, own(&RESIDUAL, &[])?);
    let (projection, interpolation) = (own(&PROJECTION, &[])?, own(&INTERPOLATION, &[])?);
    let coarser = |&side: &u32| Some(side.div_ceil(2));
    let sides = std::iter::successors(Some(side), coarser).take_while(|&side| side >= 9);
    let levels = sides.map(|side| {
        [
            &repeated(6.0, &square(jacobi, side))[..],
            &square(residual, side),
            &square(projection, side.div_ceil(2)),
            &square(interpolation, side),
        ]
        .concat()
    });
    Ok(levels.flatten().collect())
}
