//! Inputs of the experiments, the same on every machine, and how results are judged.

use std::rc::Rc;

use crate::card::interpret::{self, Witness};
use crate::claim::{BoxedError, Claim, Finding};
use crate::kruger2003::SimulationError;
use crate::kruger2003::matrices::five_point::five_point;
use crate::picture::Canvas;
use crate::random::SplitMix64;
use crate::solver::{Csr, CsrError};
use crate::stream::Machine;

/// Single precision with a short sum allows this much of the largest value.
pub const BOUND: f64 = 1e-5;

/// Entries between -1 and 1.
pub fn vector(n: usize, seed: u64) -> Vec<f32> {
    SplitMix64::new(seed).vector(n)
}

/// The same in double precision.
pub fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().map(|&v| f64::from(v)).collect()
}

/// Up to `longest` entries a row at random places.
pub fn sparse(n: usize, longest: usize, seed: u64) -> Result<Csr<f64>, CsrError> {
    let mut random = SplitMix64::new(seed);
    let mut triplets = Vec::new();
    for row in 0..n {
        for _ in 0..random.below(longest + 1) {
            let column = random.below(n);
            triplets.push((row, column, random.signed()));
        }
    }
    Csr::from_triplets(n, n, triplets)
}

/// The five-point stencil on a grid, with so much added to its diagonal, which is 4 at the edges too.
pub fn stencil(width: usize, height: usize, shift: f64) -> Csr<f64> {
    let size = (width as u32, height as u32);
    five_point(size, 1.0, |faces| faces as f64 + shift)
}

/// The verdict on an error: at most `bound`.
pub fn judge(claim: Claim, error: f64, bound: f64, remark: String) -> Finding {
    let measured = format!("largest relative difference {error:.1e}");
    let why = match error <= bound {
        true => remark,
        false => format!("it is over {bound:.0e}; {remark}"),
    };
    claim.judge(error <= bound, measured, why)
}

/// A small picture beside its twin's: what the interpreter makes of its program's text in double precision.
pub struct BesideTwin(interpret::Finding);

/// So much of a picture at most may differ by more than a shade: rounding decides at edges.
const VISIBLE: f64 = 0.01;

/// Draws on a small canvas, and compares with the twin.
pub fn beside_its_twin(
    machine: &Machine,
    draw: impl FnOnce(&Canvas) -> Result<(), SimulationError>,
) -> Result<BesideTwin, BoxedError> {
    let canvas = Canvas::with_samples(machine, (64, 48), 1)?;
    let witness = Rc::new(Witness::default());
    let observation = machine.observe(witness.clone())?;
    draw(&canvas)?;
    drop(observation);
    let found = witness.findings().into_values().next();
    Ok(BesideTwin(found.ok_or("nothing was drawn")?))
}

impl BesideTwin {
    /// Whether it is the twin's picture: all within rounding, and nearly all within a shade.
    pub fn holds(&self) -> bool {
        let Self(found) = self;
        let most = VISIBLE * found.numbers as f64;
        found.contradiction.is_none() && found.numbers > 0 && found.visible as f64 <= most
    }

    /// Why some of it is off by more than a shade, where some is and nothing contradicts the program: a
    /// difference within the bound of its roundings that is so large is one that a comparison made.
    pub fn why(&self) -> &'static str {
        match self.0.contradiction {
            None if self.0.visible > 0 => {
                " What differs from the twin's picture by more than a shade does so within the bound of the \
                 program's own roundings: they decide which side of an edge a sample meets, here of a \
                 grain of the noise."
            }
            _ => "",
        }
    }

    /// In words.
    pub fn text(&self) -> String {
        match &self.0.contradiction {
            Some(contradiction) => format!("not the twin's picture: {contradiction}"),
            None => {
                let share = 100.0 * (1.0 - self.0.visible as f64 / self.0.numbers as f64);
                format!("{share:.1} % of the twin's picture")
            }
        }
    }
}
