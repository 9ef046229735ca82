//! §3.2, §4.2: cost of a product by storage and summation of the matrix.

use crate::base::interval::range;
use crate::card::cache::{Sets, Shape};
use crate::card::cost::{RADEON_9800, bill};
use crate::card::traffic::Traffic;
use crate::claim::{BoxedError, Checked, Claim, Found, Interval, Race, Run, times};
use crate::kruger2003::diagonals::{self, Diagonals, MOST_DIAGONALS};
use crate::kruger2003::rejected::Periodic;
use crate::kruger2003::study::cases::{equal_diagonals, product};
use crate::kruger2003::study::{SIX_DIAGONALS, VECTOR_PRODUCT};
use crate::kruger2003::{
    Accumulation, ColumnTextures, DiagonalMatrix, Error, Matrix, ProductOptions, VertexMatrix,
};
use crate::program::interpret::Order;
use crate::solver::Csr;
use crate::stream::{Format, Layout, Ledger, Machine, Stream};
use crate::timing::Work;
use crate::timing::cost::{all, ledger};
use crate::timing::laps::ratio;
use crate::timing::rig::work;

use super::layouts::{sparse, stencil, vector};

/// Diagonals per pass, and the names of the products.
const PER_PASS: [(&str, usize); 4] = [("one", 1), ("two", 2), ("five", 5), ("ten", MOST_DIAGONALS)];
/// The product with one diagonal per pass, summed in two textures alternately.
const ALTERNATELY: &str = "one, alternately";
/// Largest factor between two times that count as equal.
const NO_LONGER: f64 = 1.1;
/// Smallest factor of the fragments of the rejected method over those of columns: it draws every entry once, and as many
/// texels again for the sums.
const WASTED: f64 = 1.9;
/// A saving is significant if it leaves at most one half.
const SIGNIFICANT: f64 = 2.0;

fn fetches(ledger: &Ledger) -> f64 {
    ledger.total().fetches as f64
}

fn stored(layout: Layout) -> Diagonals<f32> {
    let numbers: Vec<usize> = (0..MOST_DIAGONALS).collect();
    equal_diagonals(layout.capacity(), &numbers)
}

/// Products with ten diagonals: summed in place with [`PER_PASS`] diagonals per pass, and [`ALTERNATELY`].
fn products(run: &mut Run<'_>) -> Result<Race<'static>, BoxedError> {
    let layout = Layout::square(512 * 512, Format::R32F)?;
    let stored = stored(layout);
    let timed = |(name, per_pass), accumulation| -> Result<(&str, Work<'static>), Error> {
        let options = ProductOptions { per_pass: Some(per_pass), accumulation };
        let matrix = DiagonalMatrix::from_diagonals(run.machine, layout, &stored, options)?;
        Ok((name, product(run.machine, layout, matrix)?))
    };
    let in_place = all(PER_PASS.map(|one| timed(one, Accumulation::InPlace)))?;
    let works = in_place.into_iter().chain([timed((ALTERNATELY, 1), Accumulation::PingPong)?]);
    Race::new(works).chained(2).counted(run.machine)
}

pub(super) fn several(run: &mut Run<'_>, _: &Claim) -> Checked {
    let race = run.once(products)?;
    let saved = ratio("one", "ten")(&race.counts(fetches));
    race.decide(run, |laps| {
        let several = PER_PASS[1..].iter().map(|(name, _)| laps.ratio("one", name));
        let name = "as long with one diagonal per pass as with two, five and ten";
        let found = Found::new()
            .ratio(times(name), Interval::span(several))
            .shows(
                times("as long with one diagonal per pass as with ten"),
                laps.ratio("one", "ten"),
            )
            .at_least(
                "gain relative to the fetches of the sum that ten per pass save",
                laps.ratio("one", "ten").times(1.0 / saved),
                1.0,
            );
        PER_PASS.windows(2).fold(found, |found, two| {
            let [(few, fewer), (many, more)] = [two[0], two[1]];
            let name = format!("{more} per pass relative to {fewer} per pass");
            found.at_most(name, laps.ratio(many, few), NO_LONGER)
        })
    })
}

pub(super) fn in_place(run: &mut Run<'_>, _: &Claim) -> Checked {
    let race = run.once(products)?;
    let switches = race.counts(|ledger| ledger.target_switches as f64);
    let different = different_in_place(run.machine, 512 * 512)?;
    race.decide(run, |laps| {
        let ratio = laps.ratio("one", ALTERNATELY);
        Found::new()
            .at_most(times("as long as with two textures alternately"), ratio, NO_LONGER)
            .headline("times as long")
            .equal("entries that differ", different as f64, 0.0)
            .shows("target switches in place", switches["one"])
            .shows("target switches with two textures", switches[ALTERNATELY])
    })
}

/// Number of entries of a product with ten diagonals whose bits depend on the summation in place.
fn different_in_place(machine: &Machine, n: usize) -> Result<usize, BoxedError> {
    let layout = Layout::square(n, Format::R32F)?;
    let x = Stream::from_entries(machine, "x", layout, &vector(n, 5))?;
    let stored = stored(layout);
    let result = |accumulation| -> Result<Vec<f32>, BoxedError> {
        let options = ProductOptions { per_pass: Some(1), accumulation };
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
    let savings = savings(run.machine, &sparse(rows, 13, 4)?)?;
    let found = Found::new()
        .shows("rows, with 6.5 entries on average in random columns", rows as f64)
        .list("times the bytes, fragments and fetches", savings, "times");
    Ok(saved(found, savings, "diagonals")
        .because("Nearly every diagonal of the scattered matrix has an entry."))
}

/// Adds the factors of bytes, fragments and fetches that another layout takes.
fn saved(found: Found, savings: [f64; 3], layout: &str) -> Found {
    let names = ["bytes", "fragments", "fetches"].into_iter();
    names.zip(savings).fold(found, |found, (what, saving)| {
        found.at_least(times(format!("the {what} as {layout}")), saving, SIGNIFICANT)
    })
}

/// Order of a matrix as columns, whose costs grow with the square of the order.
const COLUMNS: usize = 64;

/// The paper's example, the matrix of the wave equation on 512² cells, compared with one of all entries as columns.
pub(super) fn vertices_of_a_grid(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, side) = (run.machine, run.pick(64, 512));
    let matrix = stencil(side, side, 0.5);
    let [vertices, columns] = [matrix.rows(), COLUMNS].map(|n| Layout::square(n, Format::R32F));
    let (vertices, columns) = (vertices?, columns?);
    let uploaded = || machine.take_ledger().bytes_uploaded as f64;
    uploaded();
    let stored = VertexMatrix::new(machine, vertices, &matrix, Accumulation::InPlace)?;
    let bytes = uploaded();
    let all = |_| vec![1.0; COLUMNS];
    let full = ColumnTextures::of_columns(machine, columns, Accumulation::InPlace, all)?;
    let share = (matrix.rows() as f64 / COLUMNS as f64).powi(2);
    let bytes = share * uploaded() / bytes;
    let mut works = [product(machine, vertices, stored)?, product(machine, columns, full)?];
    let [own, full] = works.each_mut().map(|work| ledger(machine, work));
    let (own, full) = (own?, full?);
    let fragments = share * full.total().fragments as f64 / own.total().fragments as f64;
    let points = own.total().points as f64;
    let most = 6.0 * matrix.rows() as f64;
    let found = Found::new().at_most("textured vertices", points, most).headline("vertices");
    let savings = [bytes, fragments, share * fetches(&full) / fetches(&own)];
    Ok(saved(found, savings, "full columns").shows("cells per side", side as f64).because(
        "A full column is a texture and a pass. The stencil has five entries per row; the paper counts six.",
    ))
}

/// Products of a dense matrix of order n as diagonals and as columns, one texture and pass each.
fn dense_works(machine: &Machine, n: usize) -> Result<[Work<'static>; 2], Error> {
    let layout = Layout::square(n, Format::R32F)?;
    let column = |_| vec![1.0 / n as f32; n];
    let columns = ColumnTextures::of_columns(machine, layout, Accumulation::InPlace, column)?;
    let diagonals = equal_diagonals(n, &(0..n).collect::<Vec<_>>());
    let options = ProductOptions { per_pass: Some(1), accumulation: Accumulation::InPlace };
    let diagonals = DiagonalMatrix::from_diagonals(machine, layout, &diagonals, options)?;
    Ok([product(machine, layout, diagonals)?, product(machine, layout, columns)?])
}

/// Number of distinct texels that each pass of a product fetches, summed over its passes: of the matrix and the vector, and
/// of the sum so far.
fn touched(machine: &Machine, product: &mut Work<'_>) -> Result<[f64; 2], BoxedError> {
    // A cache that holds all texels, each in a line of its own.
    let cache = Shape { bytes: 1 << 16, line: 4, ways: 16, sets: Sets::Plain };
    let traffic = Traffic::of(machine, vec![cache], Order::Fragments, || product(0))?;
    if let Some((kernel, why)) = traffic.untraced().pop_first() {
        return Err(format!("{kernel} is not traced: {why}").into());
    }
    let (mut operands, mut sums) = (0, 0);
    for ((_, stream), of) in traffic.streams() {
        *(if stream == "before" { &mut sums } else { &mut operands }) += of.misses[0];
    }
    Ok([operands as f64, sums as f64])
}

/// Compares a texture and a pass per column with a texture and a pass per diagonal.
pub(super) fn columns(run: &mut Run<'_>, _: &Claim) -> Checked {
    let n = run.pick(64, 256);
    let mut works = dense_works(run.machine, n)?;
    let [[own, sums], [fewer, others]] =
        all(works.each_mut().map(|work| touched(run.machine, work)))?;
    let ledgers = all(works.each_mut().map(|work| ledger(run.machine, work)))?;
    let relative = |of: fn(&Ledger) -> f64| of(&ledgers[0]) / of(&ledgers[1]);
    let [diagonals, columns] = all(ledgers.each_ref().map(|ledger| RADEON_9800.seconds(ledger)))?;
    Ok(Found::new()
        .ratio(times("the instructions with a diagonal per pass"), relative(|of| bill(of).instructions()))
        .modelled(Some(diagonals / columns))
        .at_least(times("the fetches"), relative(fetches), 1.0)
        .ratio(times("the distinct texels of matrix and vector in a diagonal's pass"), own / fewer)
        .shows("distinct texels in a diagonal's pass", own / n as f64)
        .shows("in a column's pass", fewer / n as f64)
        .shows(times("with those of the sum so far"), (own + sums) / (fewer + others))
        .shows("rows", n as f64)
        .because(
            "That *footprint* means the texels that a pass touches is our reading. A diagonal's pass computes the position of \
             each of its N entries of the vector and touches 2 N texels. A column's pass fetches the same entry everywhere \
             and touches N + 1. In memory both store each entry once.",
        ))
}

/// Times the products that [`columns`] counts.
pub(super) fn columns_timed(run: &mut Run<'_>, _: &Claim) -> Checked {
    // Diagonals of a square number of rows fill their texture.
    let n = run.pick(64, 2304);
    let [diagonals, columns] = dense_works(run.machine, n)?;
    let works = [("diagonals", diagonals), ("columns", columns)];
    Race::new(works).decide(run, |laps| {
        let name = times("as long with a diagonal per pass as with a column per pass");
        Found::new().raced(laps, name, ratio("diagonals", "columns")).shows("rows", n as f64)
    })
}

/// Times the matrix of the wave equation as vertices and as full columns.
pub(super) fn vertices_timed(run: &mut Run<'_>, _: &Claim) -> Checked {
    let (machine, side) = (run.machine, run.pick(16, 64));
    let matrix = stencil(side, side, 0.5);
    let n = matrix.rows();
    let layout = Layout::square(n, Format::R32F)?;
    let vertices = VertexMatrix::new(machine, layout, &matrix, Accumulation::InPlace)?;
    // The matrix is symmetric: its columns are its rows.
    let column = |row| {
        let mut column = vec![0.0; n];
        matrix.row(row).for_each(|(at, value)| column[at] = value as f32);
        column
    };
    let columns = ColumnTextures::of_columns(machine, layout, Accumulation::InPlace, column)?;
    let works = [
        ("columns", product(machine, layout, columns)?),
        ("vertices", product(machine, layout, vertices)?),
    ];
    Race::new(works).decide(run, |laps| {
        let name = times("as long with full columns as with vertices");
        Found::new().raced(laps, name, ratio("columns", "vertices")).shows("rows", n as f64)
    })
}

/// Bytes, fragments and fetches of a matrix as diagonals, relative to vertices.
fn savings(machine: &Machine, matrix: &Csr<f64>) -> Result<[f64; 3], BoxedError> {
    let layout = Layout::square(matrix.rows(), Format::R32F)?;
    let uploaded = || machine.take_ledger().bytes_uploaded as f64;
    uploaded();
    let diagonals = DiagonalMatrix::new(machine, layout, matrix, ProductOptions::default())?;
    let of_diagonals = uploaded();
    let vertices = VertexMatrix::new(machine, layout, matrix, Accumulation::InPlace)?;
    let bytes = of_diagonals / uploaded();
    let mut works = [product(machine, layout, diagonals)?, product(machine, layout, vertices)?];
    let [diagonals, vertices] = all(works.each_mut().map(|work| ledger(machine, work)))?;
    let fragments = |ledger: &Ledger| ledger.total().fragments as f64;
    Ok([
        bytes,
        fragments(&diagonals) / fragments(&vertices),
        fetches(&diagonals) / fetches(&vertices),
    ])
}

/// The product of the rejected method and that with a texture and a pass per column, of order n.
fn rejected_works<'w>(
    machine: &'w Machine,
    n: usize,
) -> Result<[(&'static str, Work<'w>); 2], Error> {
    let (entries, x) = (vector(n * n, 1), vector(n, 2));
    let periodic = Periodic::new(machine, &entries, &x)?;
    let layout = Layout::square(n, Format::R32F)?;
    let column = |column: usize| entries.iter().skip(column).step_by(n).copied().collect();
    let columns = ColumnTextures::of_columns(machine, layout, Accumulation::InPlace, column)?;
    Ok([
        ("its own", work(move |_| periodic.multiply().map(drop))),
        ("columns", product(machine, layout, columns)?),
    ])
}

/// Compares the rejected method with a texture and a pass per column.
pub(super) fn rejected(run: &mut Run<'_>, _: &Claim) -> Checked {
    let race = Race::new(rejected_works(run.machine, run.pick(128, 512))?).counted(run.machine)?;
    let ratio = ratio("its own", "columns");
    let passes = race.counts(|ledger| ledger.total().passes as f64);
    Ok(Found::new()
        .at_least(
            times("the fragments of a pass per column"),
            ratio(&race.counts(|ledger| ledger.total().fragments as f64)),
            WASTED,
        )
        .headline("times the fragments")
        .at_least(times("the fetches"), ratio(&race.counts(fetches)), 1.0)
        .shows("textures of the matrix's size", 2.0)
        .shows("passes", passes["its own"])
        .shows("passes with columns", passes["columns"])
        .shows(times("as long"), race.laps(run)?.of(ratio))
        .because(run.in_software(
            "In software the fixed cost of a pass per column outweighs what columns save.",
        )))
}

/// Times both on larger matrices.
pub(super) fn rejected_timed(run: &mut Run<'_>, _: &Claim) -> Checked {
    let n = run.pick(128, 4096);
    Race::new(rejected_works(run.machine, n)?).decide(run, |laps| {
        Found::new()
            .raced(laps, times("as long as columns"), ratio("its own", "columns"))
            .shows("rows", n as f64)
            .because("A column's pass has a fixed cost, of which the rejected method has few.")
    })
}

pub(super) fn six_products(_: &mut Run<'_>, _: &Claim) -> Checked {
    Ok(Found::new()
        .at_most(
            times("six vector–vector products, by the paper's milliseconds (1024²)"),
            SIX_DIAGONALS / (6.0 * VECTOR_PRODUCT),
            1.0,
        )
        .headline("times")
        .because(
            "A fragment of a vector product fetches two texels, and a diagonal of the matrix as many, and the sum so far \
             with each further pass.",
        ))
}

/// Orders of dense matrices; vectors with 60 entries do not fill a square texture.
const ORDERS: [usize; 3] = [16, 60, 64];

pub(super) fn no_waste(_: &mut Run<'_>, _: &Claim) -> Checked {
    let (mut found, mut padding) = (Found::new(), Vec::new());
    for order in ORDERS {
        let all = (0..order * order).map(|k| (k / order, k % order, 1.0));
        let dense = Csr::from_triplets(order, order, all)?;
        let texels = diagonals::count(&dense, order) * order;
        let room = Layout::square(order, Format::R32F)?.capacity();
        padding.push(room as f64 / order as f64 - 1.0);
        let name = format!("texels without an entry of a dense matrix of order {order}");
        found = found.equal(name, texels as f64 - dense.entries() as f64, 0.0);
    }
    let alone = 2.0 * ORDERS[0] as f64 - 1.0;
    let (side, grid) = (64, stencil(64, 64, 0.5));
    let texels = diagonals::count(&grid, side * side) * side * side;
    Ok(found
        .headline("texels wasted")
        .shows(times("the texels if each diagonal had its own texture (order 16)"), alone / ORDERS[0] as f64)
        .shows("zeros that pad vectors to a square", (range(padding), "share of a vector"))
        .shows("texels without an entry, wave equation on 64²", (texels as f64 / grid.entries() as f64 - 1.0, "share"))
        .because(
            "A diagonal and its counterpart have as many entries as a row. Those of a banded matrix have zeros at their ends, \
             and vectors whose length is not a square are padded.",
        ))
}
