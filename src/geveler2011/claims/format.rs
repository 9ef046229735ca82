//! §2.1, §3.1: ELLPACK-R compared with CSR on one core, and the defect in one program.

use std::rc::Rc;
use std::thread::scope;

use crate::card::cost::bill;
use crate::claim::{BoxedError, Checked, Claim, Found, Race, Run};
use crate::geveler2011::{
    Arithmetic, Element, Ellpack, EllpackLayout, EllpackProduct, EllpackStorage, Numbering,
    ProductSpace, Setup,
};
use crate::solver::{Csr, Operator, TextureSpace, VectorSpace};
use crate::timing::{PingPong, one_core};

/// CIRCLE's matrix on a level.
fn matrix(element: Element, level: usize) -> Result<Csr<f64>, BoxedError> {
    let finest = Setup::Circle.meshes(level).split_off(level - 1);
    Ok(Setup::Circle.discretise(&finest, element, Numbering::Xyz)?.matrices.remove(0))
}

/// Compares sequential products of both formats.
pub(super) fn sequential(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let level = run.pick(6, 9);
    let matrices = [matrix(Element::Q1, level)?, matrix(Element::Q2, level - 1)?];
    let formats = matrices.each_ref().map(Ellpack::new);
    let found = scope(|scope| {
        let vectors = |matrix: &Csr<f64>| PingPong::of_two(vec![1.0; matrix.rows()]);
        let csr = matrices.each_ref().map(|matrix| {
            one_core(scope, move |runs| {
                let mut vectors = vectors(matrix);
                runs.each(|run| {
                    let (x, y) = vectors.of(run);
                    matrix.multiply(x, y)
                })
            })
        });
        let ellpack = [0, 1].map(|k: usize| {
            let (matrix, format) = (&matrices[k], &formats[k]);
            one_core(scope, move |runs| {
                let mut vectors = vectors(matrix);
                runs.each(|run| {
                    let (x, y) = vectors.of(run);
                    format.multiply(x, y)
                })
            })
        });
        Race::of(csr.into_iter().chain(ellpack)).decide(run, claim, |laps| {
            Found::new()
                .ratio(
                    "times as long with CSR, Q1",
                    laps.of(|[csr, _, own, _]: [f64; 4]| csr / own),
                )
                .ratio("times as long with CSR, Q2", laps.of(|[_, csr, _, own]| csr / own))
                .each("times")
        })
    })?;
    Ok(found.shows("level of Q1", level as f64).because(
        "CSR reads the entries of a row one after the other. ELLPACK stores them at distances of the number of rows, for \
         the threads of a GPU.",
    ))
}

/// Counts what a defect in one program saves, compared with a product and a difference.
pub(super) fn fused(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, matrix) = (run.machine, matrix(Element::Q1, 4)?);
    let storage = Rc::new(EllpackStorage::new(machine, &matrix, EllpackLayout::of_2003())?);
    let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
    let space = TextureSpace::of(machine, matrix.rows(), Arithmetic::Single)?;
    let (b, x, mut r) = (space.zeros()?, space.zeros()?, space.zeros()?);
    machine.take_ledger();
    product.defect(&b, &x, &r)?;
    let fused = bill(&machine.take_ledger()).total();
    product.apply(&space, &x, &mut r)?;
    space.xpby(&mut r, -1.0, &b)?;
    let separate = bill(&machine.take_ledger()).total();
    let rows = matrix.rows() as f64;
    let saved = |separate: u64, fused: u64| (separate - fused) as f64 / rows;
    Ok(Found::new()
        .equal("passes per defect", fused.done.passes as f64, 1.0)
        .headline("pass")
        .equal("fetches saved per row", saved(separate.fetches, fused.fetches), 1.0)
        .equal("texels not written per row", saved(separate.done.fragments, fused.done.fragments), 1.0)
        .because("In single precision. The product is written and fetched again if a difference follows it."))
}
