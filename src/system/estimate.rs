//! What a solve will take, before anything is allocated.
//!
//! Bytes are those of the matrix in textures and vertex buffers. Seconds are rough: fetches, points, passes
//! and read-backs at the rates of Mesa's llvmpipe on two cores, meant to be within a factor of two there; a
//! graphics card is faster. The rates follow from what `figures/layouts` measures: milliseconds are fitted
//! by what a pass takes and what a fetch, or a point, takes.

use std::fmt;

use crate::kruger2003::matrices::diagonals::{self, MOST_A_PASS};
use crate::kruger2003::vectors::operations::MOST_BYTES;
use crate::memory;
use crate::solver::Csr;

use super::choice::{Layout, Method};
use super::colours::Colours;
use super::options::Limit;
use super::scaled::power_of_two;
use super::stored::places;

/// Fetches a second where what they reach lies side by side: 1 552 446 in 2.5 ms (diagonals of 48³ cells),
/// 2 287 116 in 3.7 ms (rows).
const FETCHES: f64 = 6e8;

/// Fetches a second of texels of four channels and of what they point to, 1 552 446 in 5.2 ms (ELLPACK of
/// 48³ cells); and of columns, 668 160 and nine passes in 3.1 ms (a grid), 4704 and one in 0.071 ms (a frame).
const WIDE_FETCHES: f64 = 3e8;

/// Points a second, which are drawn one after the other: 1473 in 25 passes in 1.36 ms (the cube), 2784 in
/// five in 1.0 ms (the grid).
const POINTS: f64 = 3.4e6;

/// Seconds for a pass that begins to render into another texture, and for one of points, by the same lines.
const PASS: f64 = 6e-5;
const PASS_OF_POINTS: f64 = 4e-5;

/// Seconds for an entry of a full matrix in a step of its decomposition. Of 300, 400 and 1000 rows it took
/// 0.8, 1.8 and 26.5 s of processor time, which is 0.3 ms and 26 ns an entry in each step; two cores share it
/// in part.
const ELIMINATION: f64 = 1.6e-8;

/// Seconds for a number that is waited for, and what it is summed of is read back.
const READ_BACK: f64 = 2e-4;

/// Bytes of a vertex, where it is drawn, its value and what it fetches, on both sides of the bus.
const VERTEX: u64 = 40;

/// Iterations that the seconds of an iterative method are for.
const ITERATIONS: f64 = 100.0;

/// What a solve will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Bytes of the matrix in graphics memory, at most: of two colours, diagonals of one number each take
    /// fewer.
    pub bytes: u64,
    /// Seconds for the decomposition of LU, or for a hundred iterations.
    pub seconds: f64,
    /// Whether it is the decomposition.
    pub is_direct: bool,
    /// The part of the iterations that the whole matrix would take.
    share: f64,
}

/// What is stored of a matrix as diagonals.
struct Band {
    /// Of the matrix, or of each block between colours.
    diagonals: Vec<usize>,
    /// How many of them share a texture.
    copies: u64,
    /// Unknowns that are solved for.
    unknowns: usize,
    /// Entries of a texture.
    places: usize,
}

impl Band {
    /// With the diagonals that solving for corrections leaves, or else with all.
    fn new(a: &Csr<f64>, layout: Layout, is_balanced: bool, colours: Option<&Colours>) -> Self {
        if let Some(colours) = colours {
            return Self {
                // Of each block, and of its transpose, which has the same textures.
                diagonals: colours.diagonals().repeat(2),
                copies: 2,
                unknowns: colours.unknowns(),
                places: places(colours.length()),
            };
        }
        let unknowns = a.rows();
        let places = places(unknowns.max(a.columns()));
        // A main one of ones is stored nowhere: for corrections it is that, else where all of it is the power of
        // two that the matrix is divided by.
        let scale = power_of_two(a.values());
        let is_one = |entry: f64| (entry * scale) as f32 == 1.0;
        let is_unit = || is_balanced || a.diagonal().into_iter().all(is_one);
        let is_unit = layout == Layout::Quarters && is_unit();
        let all = diagonals::count(a, places).saturating_sub(is_unit.into());
        Self {
            diagonals: vec![all],
            copies: 1,
            unknowns,
            places,
        }
    }

    fn entries(&self) -> u64 {
        let diagonals: usize = self.diagonals.iter().sum();
        (diagonals as u64).saturating_mul(self.places as u64)
    }

    /// Seconds of a product with so many fetches an entry.
    fn product(&self, fetches: f64) -> f64 {
        let passes = self.diagonals.iter().map(|all| all.div_ceil(MOST_A_PASS));
        fetches * self.entries() as f64 / WIDE_FETCHES + passes.sum::<usize>() as f64 * PASS
    }
}

impl Estimate {
    /// Of a square matrix, for a solve with so many corrections at most.
    pub fn new(a: &Csr<f64>, method: Method, layout: Layout, corrections: usize) -> Self {
        let is_balanced = method.is_balanced(corrections);
        let colours = Colours::wanted(a, layout, is_balanced);
        Self::of(a, (method, layout), is_balanced, colours.as_ref())
    }

    /// The same, of a matrix whose colours are known, where they are wanted.
    pub(super) fn of(
        a: &Csr<f64>,
        (method, layout): (Method, Layout),
        is_balanced: bool,
        colours: Option<&Colours>,
    ) -> Self {
        let is_banded = matches!(layout, Layout::Diagonals | Layout::Quarters);
        let band = is_banded.then(|| Band::new(a, layout, is_balanced, colours));
        let unknowns = band.as_ref().map_or(a.rows(), |band| band.unknowns);
        let (n, entries) = (a.rows() as u64, a.entries() as u64);
        let longest = (0..a.rows()).map(|row| a.row_length(row)).max();
        let longest = longest.unwrap_or(0) as u64;
        let (dense, points) = (n.saturating_mul(n), entries as f64 / POINTS);
        // Bytes of one matrix, seconds of one product.
        let (bytes, product) = match layout {
            Layout::Diagonals | Layout::Quarters => band.map_or((0, 0.0), |band| {
                // Four entries a texel, and what they are multiplied with in two, or in quarters in one.
                let fetches = match layout {
                    Layout::Diagonals => 0.75,
                    _ => 0.5,
                };
                (
                    band.entries().saturating_mul(4) / band.copies,
                    band.product(fetches),
                )
            }),
            Layout::Rows => (12 * entries + 16 * n, 3.0 * entries as f64 / FETCHES + PASS),
            Layout::Columns => {
                let passes = n.div_ceil(64) as f64 * PASS;
                (4 * dense, 2.0 * dense as f64 / WIDE_FETCHES + passes)
            }
            Layout::Points => (VERTEX * entries, points + longest as f64 * PASS_OF_POINTS),
            Layout::Ellpack => {
                let padded = n.saturating_mul(longest);
                (16 * padded, 2.0 * padded as f64 / WIDE_FETCHES + PASS)
            }
            Layout::EllpackR => {
                let padded = n.saturating_mul(longest);
                (16 * padded, 2.0 * entries as f64 / WIDE_FETCHES + PASS)
            }
        };
        let steps = unknowns as f64;
        let (matrices, iteration) = match (method, layout) {
            // Each step goes over the whole texture, after two searches for a pivot.
            (Method::Lu, _) => {
                let step = dense as f64 * ELIMINATION + 12.0 * PASS + 2.0 * READ_BACK;
                (3, steps * step / ITERATIONS)
            }
            // A column a draw; the residual, and the upper part.
            (Method::GaussSeidel, Layout::Columns) => (3, 2.0 * product + steps * PASS),
            (Method::GaussSeidel, _) => (2, 3.0 * product),
            (Method::Bicg, Layout::Diagonals) => (1, 2.0 * product),
            (Method::Bicg, _) => (2, 2.0 * product),
            (Method::Bicgstab, _) => (1, 2.0 * product),
            _ => (1, product),
        };
        // Of an iteration beside its products: fetches for an entry of the vectors, passes, and how often
        // numbers are waited for.
        let (fetches, passes, waits) = match method {
            Method::Bicgstab => (26.0, 13.0, 5.0),
            Method::Bicg => (20.0, 10.0, 3.0),
            _ => (9.0, 4.0, 1.0),
        };
        let rate = match layout {
            Layout::Diagonals | Layout::Quarters => 4.0 * WIDE_FETCHES,
            _ => FETCHES,
        };
        let each = iteration + fetches * steps / rate + passes * PASS + waits * READ_BACK;
        Self {
            bytes: bytes.saturating_mul(matrices),
            seconds: ITERATIONS
                * if method == Method::Lu {
                    iteration
                } else {
                    each
                },
            is_direct: method == Method::Lu,
            share: if unknowns < a.rows() { 0.5 } else { 1.0 },
        }
    }

    /// Of several, the one with the least of these is the fastest.
    pub(super) fn effort(&self) -> f64 {
        self.share * self.seconds
    }

    /// Whether somebody who waits would want to know it first.
    pub fn is_notable(&self) -> bool {
        self.bytes > 1 << 28 || self.seconds > 30.0
    }

    /// The limit that it is over, in words, if it is over one.
    pub(super) fn over(&self, layout: Layout, limit: &Limit) -> Option<String> {
        let is_diagonal = matches!(layout, Layout::Diagonals | Layout::Quarters);
        if is_diagonal && self.bytes > MOST_BYTES {
            return Some(format!("{} for a matrix", gigabytes(MOST_BYTES)));
        }
        let most = limit.bytes.or_else(memory::available);
        match (most, limit.seconds) {
            (Some(bytes), _) if self.bytes > bytes => Some(match limit.bytes {
                Some(_) => gigabytes(bytes),
                None => format!("{} of free memory", gigabytes(bytes)),
            }),
            (_, Some(seconds)) if self.seconds > seconds => Some(duration(seconds)),
            _ => None,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, seconds) = (gigabytes(self.bytes), duration(self.seconds));
        let of = match self.is_direct {
            true => "for the decomposition",
            false => "for a hundred iterations",
        };
        write!(f, "about {bytes} of textures and {seconds} {of}")
    }
}

fn gigabytes(bytes: u64) -> String {
    match bytes as f64 {
        bytes if bytes < 1e8 => format!("{:.1} MB", bytes / 1e6),
        bytes => format!("{:.1} GB", bytes / 1e9),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 100.0 => format!("{seconds:.1} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.0} h", seconds / 3600.0),
    }
}
