//! The layout of a matrix for which none was asked: a few products decide.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use web_time::Instant;

use crate::layouts::{
    COLUMNS, ELLPACK, ELLPACK_R, Layout, LayoutsError, QUARTERS, ROWS, Stored, taken,
};
use crate::solver::Csr;
use crate::stream::{Machine, Stream, StreamError};
use crate::timing::heats::is_slower;
use crate::timing::rig::work;
use crate::timing::{Effort, Heats, Interval, Work};

use super::error::SolveError;
use super::inner::stored;
use super::options::Options;
use super::prepared::Prepared;

/// Heats of the layouts.
const HEATS: usize = 3;
/// Rounds of each heat.
const ROUNDS: usize = 2;
/// Products of a layout in all heats, and before.
const PRODUCTS: f64 = 16.0;
/// A layout whose first products take this number of times as long is not timed further.
const FAR: f64 = 4.0;
/// Entries of a matrix from which on its layouts are timed.
const ENTRIES: usize = 1 << 12;
/// The fraction of the solve's forecast that the choice may take.
const SHARE: f64 = 0.05;
/// Seconds that a driver may take to compile a program.
const COMPILE: f64 = 0.03;

/// The choice of a solve's layout.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LayoutChoice {
    /// The reason.
    pub reason: String,
    /// Seconds that the choice took, besides the upload of the layout.
    pub seconds: f64,
    /// Seconds of a product in the layouts that were timed, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub products: BTreeMap<&'static str, f64>,
}

/// The system in the layout whose products are the fastest here, if the choice is open and the solve is long enough.
/// The solve takes over the textures of the products.
pub(super) fn chosen(
    machine: &Machine,
    mut system: Prepared,
    options: &Options,
) -> Result<Prepared, SolveError> {
    let started = Instant::now();
    let fixed = match system.layout {
        _ if options.layout.is_some() || options.rectangle.is_some() => "asked for",
        layout if layout == QUARTERS => "the diagonals are full enough",
        layout if layout != ROWS => "the usual one of the method",
        _ if system.a.entries() < ENTRIES => "the matrix is small",
        _ if machine.interpreter().is_some() => "the interpreter draws",
        _ if !options.measures => "not timed, because the passes are recorded",
        _ => "",
    };
    if !fixed.is_empty() {
        system.choice.reason = fixed.to_owned();
        return Ok(system);
    }
    let side = machine.description().rectangle_limit;
    let mut all: Vec<Candidate> = Vec::new();
    // Seconds that the choice may take, and those of another layout: per byte, and of its products.
    let (mut allowed, mut is_cut, mut of_byte, mut of_products) = (f64::INFINITY, false, 0.0, 0.0);
    for layout in [ROWS, COLUMNS, ELLPACK_R, ELLPACK] {
        let begun = started.elapsed().as_secs_f64();
        system.layout = layout;
        let bytes = match (layout.footprint)(&system.a, side) {
            Err(error) if layout == ROWS => return Err(error.into()),
            Err(_) => continue,
            Ok(footprint) => footprint.bytes,
        };
        if layout != ROWS && system.check(machine, options.limit).is_err() {
            continue;
        }
        if begun + COMPILE + of_byte * bytes as f64 + of_products > allowed {
            is_cut = true;
            continue;
        }
        let it = match stored(machine, &system, options) {
            Err(_) if layout != ROWS => continue,
            stored => Rc::new(stored?),
        };
        let (x, mut y) = (it.vector(&vec![1.0; system.a.rows()])?, it.space.zeros()?);
        it.multiply(&x, &mut y)?;
        machine.finish();
        let prepared = started.elapsed().as_secs_f64() - begun;
        let mut seconds = f64::INFINITY;
        for _ in 0..2 {
            let one = Instant::now();
            it.multiply(&x, &mut y)?;
            machine.finish();
            seconds = seconds.min(one.elapsed().as_secs_f64());
        }
        if layout == ROWS {
            let products = 2 * iterations(&system, options) * system.method.products();
            allowed = prepared + SHARE * products as f64 * seconds;
            (of_byte, of_products) = (prepared / bytes as f64, PRODUCTS * seconds);
        }
        all.push(Candidate { layout, stored: it, operands: (x, y), bytes, prepared, seconds });
    }
    system.choice.products = all.iter().map(|one| (one.layout.name, one.seconds)).collect();
    let best = all.iter().map(|one| one.seconds).fold(f64::INFINITY, f64::min);
    all.retain(|one| one.seconds <= FAR * best);
    let mut heats = Heats::default();
    while all.len() > 1 && heats.count() < HEATS {
        let works = all.iter_mut().map(|Candidate { layout, stored, operands: (x, y), .. }| {
            let product: Work<'_> = work(move |_| stored.multiply(x, y));
            (layout.name.to_owned(), product)
        });
        let effort = Effort { rounds: ROUNDS, chain: 1 };
        heats.run(machine, effort, works).map_err(|error| {
            match error.downcast::<StreamError>() {
                Ok(error) => SolveError::from(error),
                Err(error) => LayoutsError::Unsuited(error.to_string()).into(),
            }
        })?;
    }
    let seconds = |one: &Candidate| heats.seconds(one.layout.name).median;
    let mut ratios = vec![Interval::from(1.0)];
    if all.len() > 1 {
        let first = all.iter().min_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        let first = first.map_or(ROWS.name, |first| first.layout.name);
        let ratio = |one: &Candidate| heats.ratio(one.layout.name, first, all.len() - 1);
        ratios = all.iter().map(ratio).collect();
        system.choice.products.extend(all.iter().map(|one| (one.layout.name, seconds(one))));
    }
    let bytes = all.iter().map(|one| one.bytes);
    let place = taken(ratios.iter().copied().zip(bytes)).unwrap_or_default();
    let level = ratios.iter().filter(|ratio| !is_slower(**ratio)).count();
    system.choice.reason = match (ratios.len(), level) {
        (1, _) if is_cut => {
            "the usual one, as timing others would take more than 5 % of the solve's forecast"
        }
        (1, _) => "others cannot hold it, or take more than four times as long",
        (_, 2..) => "of those that are not slower it stores the least",
        _ => "its products are the fastest",
    }
    .to_owned();
    let Candidate { layout, stored, prepared, .. } = all.swap_remove(place);
    // The solve keeps what it would have stored in any case.
    system.choice.seconds = started.elapsed().as_secs_f64() - prepared;
    system.seconds += prepared;
    (system.layout, system.stored) = (layout, Some(stored));
    Ok(system)
}

/// A layout that holds the matrix, with the vectors of a product.
struct Candidate {
    layout: Layout,
    stored: Rc<Stored>,
    operands: (Stream, Stream),
    bytes: u64,
    /// Seconds of its upload.
    prepared: f64,
    /// Seconds of a product.
    seconds: f64,
}

/// Iterations that the solve may take: by the bound for conjugate gradients if the diagonal dominates, and no more than an
/// elliptic equation takes in the plane.
///
/// Source: Y. Saad, *Iterative methods for sparse linear systems*, 2003, section 6.11.
fn iterations(system: &Prepared, options: &Options) -> usize {
    let elliptic = 4.0 * (system.a.rows() as f64).sqrt();
    // By Gershgorin's circles, eigenvalues of the scaled matrix are within this distance of one.
    let radius = radius(&system.a);
    let condition = if radius < 1.0 { (1.0 + radius) / (1.0 - radius) } else { f64::INFINITY };
    let bound = condition.sqrt() / 2.0 * (2.0 / options.criteria.rtol).ln();
    (elliptic.min(bound).max(1.0) as usize).min(options.criteria.max_iterations)
}

/// The largest sum of sizes off the diagonal, relative to the diagonal.
fn radius(a: &Csr<f64>) -> f64 {
    let of_row = |row: usize| {
        let sum: f64 = a.row(row).map(|(_, value)| value.abs()).sum();
        let diagonal = a.get(row, row).abs();
        if diagonal > 0.0 { sum / diagonal - 1.0 } else { f64::INFINITY }
    };
    (0..a.rows()).map(of_row).fold(0.0, f64::max)
}
