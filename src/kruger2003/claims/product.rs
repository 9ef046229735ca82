//! §3.2, §4.2: cost of a product by storage and summation of the matrix.

use crate::card::cost::bill;
use crate::claim::{BoxedError, Checked, Claim, Found, Run, Samples};
use crate::kruger2003::matrices::diagonals::{Diagonals, MOST_A_PASS};
use crate::kruger2003::speed::{equal_diagonals, product};
use crate::kruger2003::{
    Accumulation, AlgebraError, DiagonalMatrix, DiagonalOptions, Matrix, VertexMatrix,
};
use crate::solver::Csr;
use crate::stream::{Format, Layout, Ledger, Machine, Stream};
use crate::timing::Work;
use crate::timing::cost::{all, ledger};

use super::samples::{sparse, stencil, vector};

/// Diagonals per pass.
const PER_PASS: [usize; 5] = [1, 2, 4, 7, MOST_A_PASS];
/// Largest factor between two times that count as equal.
const NO_LONGER: f64 = 1.1;
/// A saving is significant if it leaves at most one half.
const SIGNIFICANT: f64 = 2.0;

/// Times and ledgers of products with fourteen diagonals: summed in place with [`PER_PASS`] diagonals per pass, and
/// finally one per pass, summed in two textures alternately.
struct Products {
    samples: Samples,
    ledgers: [Ledger; PER_PASS.len() + 1],
}

fn fetches(ledger: &Ledger) -> f64 {
    bill(ledger).total().fetches as f64
}

fn stored(layout: Layout) -> Diagonals<f32> {
    let numbers: Vec<usize> = (0..MOST_A_PASS).collect();
    equal_diagonals(layout.capacity(), &numbers)
}

fn products(run: &mut Run<'_>) -> Result<Products, BoxedError> {
    let layout = Layout::square(512 * 512, Format::R32F)?;
    let stored = stored(layout);
    let timed = |a_pass, accumulation| -> Result<Work<'static>, AlgebraError> {
        let options = DiagonalOptions {
            a_pass,
            accumulation,
        };
        let matrix = DiagonalMatrix::from_diagonals(run.machine, layout, &stored, options)?;
        Ok(product(run.machine, layout, matrix)?)
    };
    let [a, b, c, d, e] = PER_PASS.map(|a_pass| timed(a_pass, Accumulation::InPlace));
    let mut works = all([a, b, c, d, e, timed(1, Accumulation::PingPong)])?;
    let ledgers = works.each_mut().map(|work| ledger(run.machine, work));
    // Two claims share the rounds: all that the time allows.
    Ok(Products {
        ledgers: all(ledgers)?,
        samples: run.rounds(2, &mut works, |_| false)?,
    })
}

pub(super) fn several(run: &mut Run<'_>, _: &Claim) -> Checked {
    let products = run.once(products)?;
    let (samples, ledgers) = (&products.samples, &products.ledgers);
    let last = PER_PASS.len() - 1;
    let gain = samples.ratio(0, last);
    let saved = fetches(&ledgers[0]) / fetches(&ledgers[last]);
    let mut found = Found::new()
        .ratio(
            "times as long with one diagonal per pass as with fourteen",
            gain,
        )
        .at_least(
            "gain relative to the fetches of the sum that fourteen per pass save",
            gain.median / saved,
            1.0,
        );
    for (fewer, per_pass) in PER_PASS[1..].iter().enumerate() {
        let name = format!(
            "{per_pass} per pass relative to {} per pass",
            PER_PASS[fewer]
        );
        found = found.at_most(name, samples.ratio(fewer + 1, fewer).median, NO_LONGER);
    }
    let [one, fourteen] = [0, last].map(|n| bill(&ledgers[n]).total().nv30_seconds);
    Ok(found.with_model(format!("GeForce FX: {:.2} times", one / fourteen)))
}

pub(super) fn in_place(run: &mut Run<'_>, _: &Claim) -> Checked {
    let products = run.once(products)?;
    let (own, turns) = (0, PER_PASS.len());
    let ratio = products.samples.ratio(own, turns);
    let [own, turns] = [own, turns].map(|n| &products.ledgers[n]);
    let different = different_in_place(run.machine, 512 * 512)?;
    Ok(Found::new()
        .at_most(
            "times as long as with two textures alternately",
            ratio.median,
            NO_LONGER,
        )
        .equal("entries that differ", different as f64, 0.0)
        .shows("target switches in place", own.target_switches as f64)
        .shows(
            "target switches with two textures",
            turns.target_switches as f64,
        ))
}

/// Number of entries of a product with fourteen diagonals whose bits depend on the summation in place.
pub fn different_in_place(machine: &Machine, n: usize) -> Result<usize, BoxedError> {
    let layout = Layout::square(n, Format::R32F)?;
    let x = Stream::from_entries(machine, "x", layout, &vector(n, 5))?;
    let stored = stored(layout);
    let result = |accumulation| -> Result<Vec<f32>, BoxedError> {
        let options = DiagonalOptions {
            a_pass: 1,
            accumulation,
        };
        let matrix = DiagonalMatrix::from_diagonals(machine, layout, &stored, options)?;
        let mut y = Stream::vector(machine, "y", layout)?;
        matrix.multiply(&x, &mut y)?;
        Ok(y.read_rect(y.full())?)
    };
    let [own, turns] = all([Accumulation::InPlace, Accumulation::PingPong].map(result))?;
    let pairs = own.iter().zip(&turns);
    Ok(pairs.filter(|(a, b)| a.to_bits() != b.to_bits()).count())
}

pub(super) fn vertices(run: &mut Run<'_>, _: &Claim) -> Checked {
    let rows = 1024;
    let scattered = savings(run.machine, &sparse(rows, 13, 4)?)?;
    let side = 64;
    let band = savings(run.machine, &stencil(side, side, 0.5))?;
    let mut found = Found::new().shows(
        "rows, with 6.5 entries on average in random columns",
        rows as f64,
    );
    for (what, saving) in ["bytes", "fragments", "fetches"].into_iter().zip(scattered) {
        let name = format!("times the {what} as diagonals");
        found = found.at_least(name, saving, SIGNIFICANT);
    }
    for (what, saving) in ["bytes", "fragments", "fetches"].into_iter().zip(band) {
        found = found.shows(
            format!("times the {what} for the five diagonals of a grid"),
            saving,
        );
    }
    Ok(found.because("Nearly every diagonal of the scattered matrix has an entry."))
}

/// Bytes, fragments and fetches of a matrix as diagonals, relative to vertices.
pub fn savings(machine: &Machine, matrix: &Csr<f64>) -> Result<[f64; 3], BoxedError> {
    let layout = Layout::square(matrix.rows(), Format::R32F)?;
    let uploaded = || machine.take_ledger().bytes_uploaded as f64;
    uploaded();
    let diagonals = DiagonalMatrix::new(machine, layout, matrix, DiagonalOptions::default())?;
    let of_diagonals = uploaded();
    let vertices = VertexMatrix::new(machine, layout, matrix, Accumulation::InPlace)?;
    let bytes = of_diagonals / uploaded();
    let mut works = [
        product(machine, layout, diagonals)?,
        product(machine, layout, vertices)?,
    ];
    let [diagonals, vertices] = all(works.each_mut().map(|work| ledger(machine, work)))?;
    let fragments = |ledger: &Ledger| ledger.total().fragments as f64;
    Ok([
        bytes,
        fragments(&diagonals) / fragments(&vertices),
        fetches(&diagonals) / fetches(&vertices),
    ])
}
