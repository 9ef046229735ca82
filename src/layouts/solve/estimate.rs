//! The memory and the time of a solve, before anything is allocated.
//!
//! Bytes are an upper bound for the matrix in textures and vertex buffers. Seconds are a rough estimate from
//! the layout's fetches and passes at the rates of Mesa's llvmpipe on two cores, where it should be correct to
//! a factor of two; a GPU is faster.

use std::fmt;

use crate::layouts::layout::PASS;
use crate::layouts::{COLUMNS, Layout, Plan};
use crate::memory;

use super::method::Method;
use super::options::Limit;

/// Seconds per entry of a dense matrix in a step of its decomposition: 1000 rows took 26.5 s of processor time.
const ELIMINATION: f64 = 1.6e-8;

/// Seconds of an iteration in addition to its products: per row, and for passes and read-backs.
const ROW: f64 = 1.5e-8;
const WAITS: f64 = 4e-4;

/// Number of iterations in the estimate for iterative methods.
const ITERATIONS: f64 = 100.0;

/// The memory and the time of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Maximum number of bytes of the matrix in graphics memory.
    pub bytes: u64,
    /// Seconds for the decomposition of LU, or for a hundred iterations.
    pub seconds: f64,
    /// True for a decomposition.
    pub is_direct: bool,
}

impl Estimate {
    /// The estimate for a matrix with this many rows.
    pub fn new(plan: &Plan, (method, layout): (Method, Layout), rows: usize) -> Self {
        // Number of stored matrices, and of products per iteration.
        let (matrices, products) = match method {
            Method::Lu => (3, 0.0),
            Method::GaussSeidel => (3, 3.0),
            Method::Bicg => (2, 2.0),
            Method::Bicgstab => (1, 2.0),
            Method::Cg | Method::Pcg | Method::Multigrid => (1, 1.0),
        };
        let rows = rows as f64;
        let seconds = match method {
            // Each step goes over the whole texture, after two searches for a pivot.
            Method::Lu => rows * (rows * rows * ELIMINATION + 12.0 * PASS + WAITS),
            // A draw per column.
            Method::GaussSeidel if layout == COLUMNS => ITERATIONS * rows * PASS,
            _ => ITERATIONS * products * (plan.seconds() + rows * ROW + WAITS),
        };
        Self {
            bytes: plan.bytes().saturating_mul(matrices),
            seconds,
            is_direct: method == Method::Lu,
        }
    }

    /// Tests whether the estimate is large enough to announce.
    pub fn is_notable(&self) -> bool {
        self.bytes > 1 << 28 || self.seconds > 30.0
    }

    /// Message about the limit that is exceeded, if one is.
    pub(super) fn over(&self, limit: &Limit) -> Option<String> {
        let (bytes, what) = match limit.bytes {
            Some(bytes) => (bytes, ""),
            None => (memory::available().unwrap_or(u64::MAX), " of free memory"),
        };
        if self.bytes > bytes {
            return Some(gigabytes(bytes) + what);
        }
        let seconds = limit.seconds.filter(|&seconds| self.seconds > seconds)?;
        Some(duration(seconds))
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, seconds) = (gigabytes(self.bytes), duration(self.seconds));
        let of = if self.is_direct {
            "the decomposition"
        } else {
            "a hundred iterations"
        };
        write!(f, "about {bytes} of textures and {seconds} for {of}")
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
