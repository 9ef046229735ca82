//! A Jacobi sweep and a correction in one pass each: not in the paper, which takes a
//! defect, a product with the diagonal and a sum (§2.1).

use std::rc::Rc;

use crate::stream::{Machine, Source, Stream, StreamError, source};

use super::arithmetic::pair;
use super::product::EllpackProduct;

const SWEEP: Source = source!("geveler2011/sweep");
const CORRECT: Source = source!("geveler2011/correct");

/// A pass that computes the third vector from the first two.
pub type FusedPass = Box<dyn Fn(&Stream, &Stream, &mut Stream) -> Result<(), StreamError>>;

/// The pass (b, x) → x + ω D⁻¹ (b − A x).
pub fn fused_sweep(
    machine: &Machine,
    matrix: &Rc<EllpackProduct>,
    inverse_diagonal: &Rc<Stream>,
    omega: f64,
) -> Result<FusedPass, StreamError> {
    let kernel = matrix.kernel(machine, &SWEEP)?;
    let (matrix, inverse_diagonal) = (Rc::clone(matrix), Rc::clone(inverse_diagonal));
    Ok(Box::new(move |b, x, next| {
        let pass = matrix.pass(&kernel).read("b", b).read("x", x);
        pass.read("inverse_diagonal", &inverse_diagonal)
            .set("omega", pair(omega))
            .draw(next, matrix.storage().rects())
    }))
}

/// The pass (c, u) → u + P c, where c is the coarser level's.
pub fn fused_correction(
    machine: &Machine,
    prolongation: &Rc<EllpackProduct>,
) -> Result<FusedPass, StreamError> {
    let kernel = prolongation.kernel(machine, &CORRECT)?;
    let prolongation = Rc::clone(prolongation);
    Ok(Box::new(move |coarse, u, next| {
        let pass = prolongation.pass(&kernel).read("u", u).read("x", coarse);
        pass.draw(next, prolongation.storage().rects())
    }))
}
