//! One matrix, one vector, every layout: products.

use std::rc::Rc;

use web_time::Instant;

use crate::base::error::BoxedError;
use crate::base::memory::{self, in_words};
use crate::base::order::ShortSort;
use crate::base::random::SplitMix64;
use crate::card::limits::SIDE;
use crate::kruger2003::MOST_BYTES;
use crate::layouts::textures::observe;
use crate::layouts::{Layout, LayoutsError, Upload};
use crate::solver;
use crate::solver::Csr;
use crate::stream::Machine;
use crate::timing::rig::work;
use crate::timing::{Effort, PingPong, Work};

use super::{Entrant, Line, Memory, Race, Raced, TOO_SLOW, alone};

/// Streams of a product other than the matrix: operands, and partial sums.
pub const OPERANDS: [&str; 3] = ["vector", "partial sum", "partial sums"];

/// Bytes that a matrix may take on this machine: a third of the free memory, because data are prepared in main
/// memory and other layouts are stored at the same time.
pub fn bytes_allowed() -> u64 {
    MOST_BYTES.min(of_limit(None))
}

/// Bytes of textures within a limit on all memory, the free memory by default: data are prepared in main memory,
/// where a software renderer stores its textures, too.
pub fn of_limit(limit: Option<u64>) -> u64 {
    limit.or_else(memory::available).unwrap_or(u64::MAX) / 3
}

/// A layout whose textures have this number of times the bytes that the fastest product fetches takes far more than
/// [`TOO_SLOW`] times as long, and is not uploaded.
const TOO_LARGE: u64 = 160;

/// A product with this error is wrong: a number was too large or too small.
const WRONG: f64 = 0.5;

/// A matrix, a vector and their product in double precision.
pub struct Problem {
    /// The matrix, without stored zeros.
    pub matrix: Csr<f64>,
    /// Entries between −1 and 1, in single precision.
    pub x: Vec<f32>,
    /// Σ a_ij x_j in double precision.
    exact: Vec<f64>,
    /// Σ |a_ij| |x_j|
    magnitude: Vec<f64>,
}

impl Problem {
    /// The product of a square matrix with a vector that does not depend on the machine. The matrix is scaled
    /// by a power of two, so that a chain of products stays within single precision.
    pub fn new(matrix: &Csr<f64>) -> Result<Self, solver::CsrError> {
        let row_sum = |row: usize| matrix.row(row).map(|(_, value)| value.abs()).sum::<f64>();
        let largest = (0..matrix.rows()).map(row_sum).fold(0.0, f64::max);
        let power =
            if largest > 0.0 { largest.log2().ceil().clamp(-1000.0, 1000.0) as i32 } else { 0 };
        Self::scaled(matrix, 2.0_f64.powi(-power))
    }

    /// The product with the matrix times a factor.
    pub fn scaled(matrix: &Csr<f64>, scale: f64) -> Result<Self, solver::CsrError> {
        let entries = matrix.triplets().filter(|&(_, _, value)| value != 0.0);
        let entries = entries.map(|(row, column, value)| (row, column, value * scale));
        let matrix = Csr::from_triplets(matrix.rows(), matrix.columns(), entries)?;
        let mut random = SplitMix64::new(1);
        let x: Vec<f32> = (0..matrix.columns()).map(|_| random.signed() as f32).collect();
        let sum = |term: fn(f64) -> f64| -> Vec<f64> {
            let of_row = |row| {
                let terms =
                    matrix.row(row).map(|(column, value)| term(value * f64::from(x[column])));
                terms.sum()
            };
            (0..matrix.rows()).map(of_row).collect()
        };
        Ok(Self { exact: sum(|term| term), magnitude: sum(f64::abs), matrix, x })
    }

    /// The distance of a product from the one in double precision: the largest |y_i − Σ a_ij x_j| divided by Σ
    /// |a_ij| |x_j|. A rounding error of single precision is 6e-8.
    pub fn error(&self, y: &[f32]) -> f64 {
        let rows = y.iter().zip(self.exact.iter().zip(&self.magnitude));
        let errors = rows.map(|(&y, (&exact, &magnitude))| {
            let error = (f64::from(y) - exact).abs();
            if error == 0.0 { 0.0 } else { error / magnitude }
        });
        errors.fold(
            0.0,
            |largest, error| {
                if error > largest || error.is_nan() { error } else { largest }
            },
        )
    }
}

/// Layouts to compare, and what they may take.
#[derive(Clone, Copy, Debug)]
pub struct Contest<'a> {
    /// The layouts, in the order of the lines.
    pub layouts: &'a [Layout],
    /// Bytes of the textures of one layout.
    pub bytes: u64,
    /// True if layouts that are far too large are left out.
    pub leaves_out: bool,
}

impl<'a> Contest<'a> {
    /// Layouts within the free memory.
    pub fn of(layouts: &'a [Layout]) -> Self {
        Self { layouts, bytes: of_limit(None), leaves_out: true }
    }
}

/// A layout that alone takes this number of times as long as the fastest is not raced with it, unless no other is left.
const FAR: f64 = 4.0;

/// A line per layout, and two of the CPU. Layouts are counted and timed one after another, the smallest first; those that
/// are not far slower than the fastest are then raced with it.
pub fn compare(
    machine: &Machine,
    matrix: &Csr<f64>,
    contest: Contest<'_>,
    effort: Effort,
) -> Result<Raced, BoxedError> {
    let problem = Problem::new(matrix)?;
    let bytes = |(at, &layout): (usize, &Layout)| {
        let (bytes, _) = footprint(machine, &problem.matrix, layout, contest.bytes)?;
        Ok::<_, LayoutsError>((bytes, at))
    };
    let sizes = contest.layouts.iter().enumerate().map(bytes);
    let mut sizes: Vec<(u64, usize)> = sizes.collect::<Result<_, _>>()?;
    sizes.sort_unstable();
    let mut lines = vec![Line::default(); sizes.len()];
    // Seconds of the fastest, and the bytes that it fetches.
    let mut best = (f64::INFINITY, u64::MAX / TOO_LARGE);
    for (bytes, at) in sizes {
        let layout = contest.layouts[at];
        let is_too_large = contest.leaves_out && bytes > TOO_LARGE * best.1;
        let allowed = if is_too_large { 0 } else { contest.bytes };
        let mut entrant = entrant(machine, &problem, layout, allowed)?;
        if is_too_large {
            let times = bytes / best.1;
            entrant.line.left_out = Some(times);
            entrant.line.refused = Some(format!(
                "its textures have {times} times the bytes that the fastest product fetches; --layouts {layout} times it"
            ));
        }
        // One slow round may be the machine's: a second one decides.
        let mut is_stopped = entrant.work.is_some();
        for round in 0..2 {
            let Some(work) = entrant.work.as_mut().filter(|_| is_stopped) else { break };
            let begun = Instant::now();
            work(round)?;
            machine.finish();
            is_stopped = begun.elapsed().as_secs_f64() > TOO_SLOW * best.0;
        }
        let effort = if is_stopped {
            entrant.ceiling = None;
            Effort { rounds: 2, chain: 1 }
        } else {
            effort
        };
        alone(machine, effort, &mut entrant)?;
        if let Some(run) = &mut entrant.line.run {
            run.is_stopped = is_stopped;
            if run.seconds < best.0 {
                best = (run.seconds, (run.bytes_per_second * run.seconds) as u64);
            }
        }
        lines[at] = entrant.line;
    }
    let raced = near(&lines, 2 * contest.bytes);
    let mut race = Race::new(machine, effort);
    while race.is_open() {
        let mut entrants = Vec::new();
        for &at in &raced {
            let entrant = entrant(machine, &problem, contest.layouts[at], contest.bytes)?;
            entrants.push(Entrant { line: lines[at].clone(), ..entrant });
        }
        race.run(with_cpu(entrants, &problem)?)?;
    }
    let Raced { lines: mut together, twins } = race.raced();
    lines.extend(together.split_off(raced.len()));
    for (at, line) in raced.into_iter().zip(together) {
        lines[at] = line;
    }
    Ok(Raced { lines, twins })
}

/// The places of the lines to race together, the fastest first, within these bytes.
fn near(lines: &[Line], bytes: u64) -> Vec<usize> {
    let ran = lines.iter().enumerate().filter_map(|(at, line)| Some((at, line.run.as_ref()?)));
    let ran = ran.filter(|(_, run)| !run.is_stopped);
    let mut ran: Vec<(usize, f64)> = ran.map(|(at, run)| (at, run.seconds)).collect();
    ran.order_by(|a, b| a.1.total_cmp(&b.1));
    let is_near = |place: usize| place < 2 || ran[place].1 <= FAR * ran[0].1;
    let near = (0..ran.len()).take_while(|&place| is_near(place)).map(|place| ran[place].0);
    let mut left = bytes;
    near.filter(|&at| {
        let fits = lines[at].memory.bytes <= left;
        left -= if fits { lines[at].memory.bytes } else { 0 };
        fits
    })
    .collect()
}

/// The bytes of a matrix in a layout, and the reason why it is impossible, if it is.
///
/// # Errors
/// Errors other than that the layout cannot hold the matrix.
pub fn footprint(
    machine: &Machine,
    matrix: &Csr<f64>,
    layout: Layout,
    most: u64,
) -> Result<(u64, Option<String>), LayoutsError> {
    let side = machine.description().rectangle_limit;
    let footprint = match (layout.footprint)(matrix, side) {
        Ok(footprint) => footprint,
        Err(LayoutsError::Unsuited(why)) => return Ok((0, Some(why))),
        Err(error) => return Err(error),
    };
    let bytes = footprint.bytes;
    let over = (bytes > most)
        .then(|| format!("{} of textures, but {} are allowed", in_words(bytes), in_words(most)));
    Ok((bytes, footprint.oversize(side).or(over)))
}

/// A layout of a matrix, ready to run.
pub(super) fn entrant(
    machine: &Machine,
    problem: &Problem,
    layout: Layout,
    most: u64,
) -> Result<Entrant<'static>, BoxedError> {
    let (bytes, refused) = footprint(machine, &problem.matrix, layout, most)?;
    let memory = Memory { bytes, ..Memory::default() };
    let line = Line { memory, refused, ..Line::new(layout.name, layout.source) };
    if line.refused.is_some() {
        return Ok(Entrant::of(line));
    }
    let stored = match (layout.store)(machine, &problem.matrix, &Upload::default()) {
        // A limit of its paper's storage.
        Err(LayoutsError::Unsuited(why)) => {
            return Ok(Entrant::of(Line { refused: Some(why), ..line }));
        }
        stored => stored?,
    };
    let (x, mut y) = (stored.vector(&problem.x)?, stored.space.zeros()?);
    let seen = observe(machine, &OPERANDS, false, || stored.multiply(&x, &mut y))?;
    let padding = layout.padding(&seen, problem.matrix.entries());
    let mut line = Line { memory: Memory::of(&seen.data, seen.bytes(), padding), ..line };
    // There, textures are laid out within its limit.
    line.memory.side = match (layout.footprint)(&problem.matrix, SIDE) {
        Ok(footprint) => footprint.side(),
        Err(_) => u64::from(u32::MAX),
    };
    let error = problem.error(&stored.read(&y)?);
    if error.is_nan() || error >= WRONG {
        let what = format!(
            "its product left the range of single precision (error {error:.1e}). Scale the rows of the matrix to one size"
        );
        return Ok(Entrant::of(Line { refused: Some(what), ..line }));
    }
    let mut pair = PingPong::new(2, || stored.space.zeros())?.from(x);
    let products = work(move |run| {
        let (x, y) = pair.of(run);
        stored.multiply(x, y)
    });
    Ok(Entrant {
        error: Some(error),
        is_of_2003: layout.is_of_2003,
        ..Entrant::on_machine(machine, line, products)
    })
}

/// The CPU's products in single precision with compressed rows: on one core, and on all.
pub(super) fn with_cpu(
    mut entrants: Vec<Entrant<'static>>,
    problem: &Problem,
) -> Result<Vec<Entrant<'static>>, BoxedError> {
    let matrix = Rc::new(problem.matrix.cast::<f32>());
    let (rows, entries) = (matrix.rows() as u64, matrix.entries() as u64);
    // A value and a column per entry, and a start per row; x and y are moved, too.
    let bytes = 8 * entries + 8 * (rows + 1);
    let moved = bytes + 4 * entries + 4 * rows;
    let mut y = vec![0.0; matrix.rows()];
    matrix.multiply(&problem.x, &mut y).map_err(solver::CsrError::from)?;
    let error = problem.error(&y);
    for (name, is_parallel) in [("CSR, one core", false), ("CSR, all cores", true)] {
        let matrix = Rc::clone(&matrix);
        let mut pair = PingPong::of_two(y.clone()).from(problem.x.clone());
        let product: Work<'static> = work(move |run| {
            let (x, y) = pair.of(run);
            if is_parallel { matrix.multiply_parallel(x, y) } else { matrix.multiply(x, y) }
        });
        entrants.push(Entrant::on_cpu(name, bytes, moved, Some(error), product));
    }
    Ok(entrants)
}
