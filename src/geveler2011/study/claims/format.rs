//! §2.1, §3.1: ELLPACK-R compared with CSR on one core, and the defect in one program.

use std::rc::Rc;
use std::thread::scope;

use crate::claim::{BoxedError, Checked, Claim, Found, Race, Run, times};
use crate::geveler2011::study::cases;
use crate::geveler2011::{
    Arithmetic, Element, Ellpack, EllpackLayout, EllpackProduct, EllpackStorage, Entries,
    Numbering, ProductSpace, RowFormat, Setup,
};
use crate::solver::{Csr, LengthMismatch, Operator, TextureSpace, VectorSpace};
use crate::stream::{Machine, Stream};
use crate::timing::cost::all;
use crate::timing::laps::ratio;
use crate::timing::rig::work;
use crate::timing::{PingPong, one_core};

/// CIRCLE's matrix on a level.
fn matrix(element: Element, level: usize) -> Result<Csr<f64>, BoxedError> {
    let finest = Setup::Circle.meshes(level).split_off(level - 1);
    Ok(Setup::Circle.discretise(&finest, element, Numbering::Xyz)?.matrices.remove(0))
}

/// A product y ← A x.
type Multiply<'a> = &'a (dyn Fn(&[f64], &mut [f64]) -> Result<(), LengthMismatch> + Sync);

/// Compares sequential products of both formats.
pub(super) fn sequential(run: &mut Run<'_>, _: &Claim) -> Checked {
    let level = run.pick(6, 9);
    let [q1, q2] = [matrix(Element::Q1, level)?, matrix(Element::Q2, level - 1)?];
    let [own_q1, own_q2] = [&q1, &q2].map(Ellpack::new);
    // A row of CSR is in one place of each of two arrays, and of ELLPACK in as many as it has entries.
    let places = [&own_q1, &own_q2].map(|format| 2 * format.values.len() / format.lengths.len());
    let products: [(&str, usize, Multiply<'_>); 4] = [
        ("CSR, Q1", q1.rows(), &|x, y| q1.multiply(x, y)),
        ("CSR, Q2", q2.rows(), &|x, y| q2.multiply(x, y)),
        ("ELLPACK, Q1", q1.rows(), &|x, y| own_q1.multiply(x, y)),
        ("ELLPACK, Q2", q2.rows(), &|x, y| own_q2.multiply(x, y)),
    ];
    scope(|scope| {
        let works = products.map(|(name, rows, multiply)| {
            let product = one_core(scope, move |runs| {
                let mut vectors = PingPong::of_two(vec![1.0; rows]);
                runs.each(|run| {
                    let (x, y) = vectors.of(run);
                    multiply(x, y)
                })
            });
            (name, product)
        });
        Race::new(works).decide(run, |laps| {
            let [first, second] = places;
            Found::new()
                .ratio(times("as long with CSR, Q1"), laps.ratio("CSR, Q1", "ELLPACK, Q1"))
                .ratio(times("as long with CSR, Q2"), laps.ratio("CSR, Q2", "ELLPACK, Q2"))
                .each("times")
                .shows("level of Q1", level as f64)
                .because(format!(
                    "ELLPACK stores the entries of a row at distances of the number of rows, for the threads of a GPU. A row \
                     of CSR is read from 2 places in memory, one of ELLPACK from {first} (Q1) or {second} (Q2). CSR is also \
                     faster on small levels, where everything is in caches: the cause of that part is not known."
                ))
        })
    })
}

/// A product in single precision with its vectors b, x and r, which are zero.
fn defect(
    machine: &Machine,
    matrix: &Csr<f64>,
) -> Result<(EllpackProduct, TextureSpace, [Stream; 3]), BoxedError> {
    let storage = Rc::new(EllpackStorage::new(machine, matrix, EllpackLayout::of_2003())?);
    let product = EllpackProduct::new(machine, &storage, Arithmetic::Single)?;
    let space = TextureSpace::of(machine, matrix.rows(), Arithmetic::Single)?;
    let vectors = all([space.zeros(), space.zeros(), space.zeros()])?;
    Ok((product, space, vectors))
}

/// Counts what a defect in one program saves, compared with a product and a difference.
pub(super) fn fused(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, matrix) = (run.machine, matrix(Element::Q1, 4)?);
    let (product, space, [b, x, mut r]) = defect(machine, &matrix)?;
    machine.take_ledger();
    product.defect(&b, &x, &r)?;
    let fused = machine.take_ledger().total();
    product.apply(&space, &x, &mut r)?;
    space.xpby(&mut r, -1.0, &b)?;
    let separate = machine.take_ledger().total();
    let rows = matrix.rows() as f64;
    let saved = |separate: u64, fused: u64| (separate - fused) as f64 / rows;
    Ok(Found::new()
        .equal("passes per defect", fused.passes as f64, 1.0)
        .headline("pass")
        .equal("fetches saved per row", saved(separate.fetches, fused.fetches), 1.0)
        .equal("texels not written per row", saved(separate.fragments, fused.fragments), 1.0)
        .because("In single precision. The product is written and fetched again if a difference follows it."))
}

/// Times a defect in one program and in two.
pub(super) fn fused_timed(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, level) = (run.machine, run.pick(5, 8));
    let matrix = matrix(Element::Q1, level)?;
    let (product, space, [b, x, r]) = defect(machine, &matrix)?;
    let mut own = space.zeros()?;
    let works = [
        ("one program", work(|_| product.defect(&b, &x, &r))),
        (
            "two programs",
            work(|_| {
                product.apply(&space, &x, &mut own)?;
                space.xpby(&mut own, -1.0, &b)
            }),
        ),
    ];
    Race::new(works).chained(4).decide(run, |laps| {
        let name = times("as long with a product and a difference");
        Found::new()
            .raced(laps, name, ratio("two programs", "one program"))
            .shows("level of Q1", level as f64)
    })
}

/// Times rows that end at their length and rows that are padded.
pub(super) fn lengths_timed(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, level) = (run.machine, run.pick(4, 7));
    let matrix = matrix(Element::Q2, level)?;
    let works = all([("ELLPACK", RowFormat::Ellpack), ("ELLPACK-R", RowFormat::EllpackR)].map(
        |(name, rows)| {
            let layout = EllpackLayout { rows, entries: Entries::Packed };
            let case = cases::product(machine, &matrix, layout, Arithmetic::Single)?;
            Ok::<_, BoxedError>((name, case.kernel))
        },
    ))?;
    Race::new(works).chained(4).decide(run, |laps| {
        Found::new()
            .raced(laps, times("as long with padded rows"), ratio("ELLPACK", "ELLPACK-R"))
            .shows("level of Q2", level as f64)
    })
}
