//! The layout of a matrix for which none was asked: a few products decide.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use web_time::Instant;

use crate::base::order::ShortSort;
use crate::layouts::{ALL, ELLPACK, ELLPACK_R, Layout, QUARTERS, ROWS, Stored, fastest};
use crate::solver::Csr;
use crate::stream::Machine;
use crate::timing::Interval;

use super::error::SolveError;
use super::inner::stored;
use super::options::Options;
use super::prepared::Prepared;

/// Rounds of each layout.
const ROUNDS: usize = 4;
/// A layout that takes this number of times as long is stopped after two rounds.
const FAR: f64 = 1.5;
/// Products in a round.
const CHAIN: usize = 2;
/// Entries of a matrix from which on its layouts are timed.
const ENTRIES: usize = 1 << 12;
/// A layout that takes this number of times the memory of [`ROWS`] cannot win by much.
const MEMORY: u64 = 4;
/// The fraction of the solve's forecast that the choice may take.
const SHARE: f64 = 0.03;
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
    let most = (ROWS.footprint)(&system.a, side)?.bytes.saturating_mul(MEMORY);
    let mut timed: Vec<(Layout, Rc<Stored>, Interval, f64)> = Vec::new();
    // Seconds that the choice, and that one more layout may take.
    let (mut allowed, mut next) = (f64::INFINITY, 0.0);
    let (mut is_cut, mut best) = (false, f64::INFINITY);
    for layout in [ROWS, ELLPACK_R, ELLPACK] {
        let begun = started.elapsed().as_secs_f64();
        is_cut = begun + next > allowed;
        if is_cut {
            break;
        }
        system.layout = layout;
        let fits = (layout.footprint)(&system.a, side).is_ok_and(|it| it.bytes <= most);
        if layout != ROWS && !(fits && system.check(machine, options.limit).is_ok()) {
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
        let mut samples = Vec::new();
        for _ in 0..ROUNDS {
            machine.finish();
            let round = Instant::now();
            (0..CHAIN).try_for_each(|_| it.multiply(&x, &mut y))?;
            machine.finish();
            samples.push(round.elapsed().as_secs_f64() / CHAIN as f64);
            // Two rounds suffice for a layout that is far slower.
            if samples.len() > 1 && samples.iter().all(|&seconds| seconds > FAR * best) {
                break;
            }
        }
        let times = Interval::of(samples);
        best = best.min(times.median);
        if layout == ROWS {
            let products = (2 * iterations(&system, options) * system.method.products()) as f64;
            allowed = prepared + SHARE * products * times.median;
        }
        next = next.max(COMPILE + started.elapsed().as_secs_f64() - begun);
        timed.push((layout, it, times, prepared));
    }
    timed.order_by_key(|(layout, ..)| ALL.iter().position(|one| one == layout));
    let times: Vec<Interval> = timed.iter().map(|(_, _, times, _)| *times).collect();
    system.choice.products =
        timed.iter().map(|(layout, _, t, _)| (layout.name, t.median)).collect();
    let place = fastest(&times).unwrap_or_default();
    let (layout, stored, own, prepared) = timed.swap_remove(place);
    let is_level = times.iter().filter(|other| other.low <= own.high).count() > 1;
    system.choice.reason = match (times.len(), is_level) {
        (1, _) if is_cut => "timing others would take more than 3 % of the solve's forecast",
        (1, _) => "others would take far more memory",
        (_, true) => "no other is faster: the intervals overlap",
        (_, false) => "its products are the fastest",
    }
    .to_owned();
    // The solve keeps what it would have stored in any case.
    system.choice.seconds = started.elapsed().as_secs_f64() - prepared;
    system.seconds += prepared;
    (system.layout, system.stored) = (layout, Some(stored));
    Ok(system)
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
