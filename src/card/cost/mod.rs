//! Cost of passes on the cards of 2003, by two models. The *peak* model here ([`Nv30`]) is the papers'
//! theoretical one. The [`calibrated`] model was fitted to the papers' timings, and only it may be compared
//! with a measurement. It covers four cards ([`CARDS`]).
//!
//! The peak model is that of NV30 (GeForce FX) in Bolz et al. 2003, section 3.2.1. The paper gives the parts,
//! and this model derives everything else from them:
//!
//! * *Tuples.* Each instruction runs on a tuple of p neighbouring pixels at once, one pixel per
//!   pipeline. With p = 4 a tuple is an aligned block of 2 x 2 pixels.
//! * *Two triangles.* A rectangle is rasterised as two right triangles. A tuple with pixel centres
//!   in both of them is sent to the fragment stage twice ([`Nv30::tuples`]).
//! * *Batches.* To hide the latency of memory, q tuples are processed in rotation, instruction by
//!   instruction. A partly filled batch costs as much as a full one ([`Nv30::batches`]).
//! * *Flushes.* A change of program always ends a batch ([`bill`]).
//!
//! From these follow the best rectangle and the staircase of Fig. 3 ([`rectangle`]), the rates of sections 3.3
//! and 4.3, and the time of a recorded pass ([`theory`]). Like the paper, the model neglects set-up, texture
//! cache misses and registers.
//!
//! [`bill`] sums the costs of a ledger's passes by either model.

mod bill;
pub mod calibrated;
pub mod clock;
mod device;
pub mod rectangle;
pub mod theory;

use crate::stream::rasterise;

pub use crate::stream::Tuples;
pub use bill::{Bill, CardSeconds, Charge, bill, work};
pub use calibrated::{Area, Cycles, Demand};
pub use device::{
    Architecture, CARDS, Card, DIRECT3D_9, Device, Driver, FITTED, GEFORCE_FX_5800_ULTRA, HELD_OUT,
    Numbers, OPENGL, QUADRO_FX_1000, QUADRO_FX_2000, RADEON_9800,
};
pub use rectangle::{Rectangle, Stair};
pub use theory::Halving;

/// NV30: a GeForce FX as the paper describes and clocks it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nv30 {
    /// Side of a tuple in pixels. A tuple is a square block, aligned to its own size.
    pub tuple_side: u32,
    /// q, the number of tuples in a batch.
    pub tuples_per_batch: u32,
    /// Instructions per second and pipeline.
    pub clock: f64,
    /// Memory bandwidth in bytes per second.
    pub bandwidth: f64,
    /// Maximum number of instructions in a fragment program (`NV_fragment_program`).
    pub program_length: u32,
}

impl Default for Nv30 {
    fn default() -> Self {
        Nv30 {
            tuple_side: 2,
            tuples_per_batch: 128,
            clock: 500e6,
            bandwidth: 16e9,
            program_length: 1024,
        }
    }
}

impl Nv30 {
    /// p, the number of fragment pipelines: one for each pixel of a tuple.
    pub fn pipelines(&self) -> u32 {
        self.tuple_side * self.tuple_side
    }

    /// p q, the fragments of a full batch.
    pub fn fragments_per_batch(&self) -> u32 {
        self.pipelines() * self.tuples_per_batch
    }

    /// The tuples of a `width` x `height` rectangle whose corner is aligned to a tuple.
    pub fn tuples(&self, width: u32, height: u32) -> Tuples {
        rasterise(width, height, self.tuple_side)
    }

    /// Batches filled by `tuples`; the last one may be partly filled.
    pub fn batches(&self, tuples: u64) -> u64 {
        tuples.div_ceil(u64::from(self.tuples_per_batch))
    }

    /// Seconds for `batches` with a program of this number of `instructions`. Each instruction takes one cycle
    /// per tuple, filled or not.
    pub fn seconds(&self, batches: u64, instructions: u32) -> f64 {
        let cycles = batches * u64::from(self.tuples_per_batch) * u64::from(instructions);
        cycles as f64 / self.clock
    }

    /// Fraction of the fragment stage's time that a single `width` x `height` rectangle wastes: on the unfilled
    /// rest of its last batch, on tuples across its edge, and on the tuples of the diagonal (section 4.3:
    /// almost one half at 17 x 17, 29 % at 33 x 33).
    ///
    /// Zero for an empty rectangle.
    pub fn waste(&self, width: u32, height: u32) -> f64 {
        let batches = self.batches(self.tuples(width, height).total());
        if batches == 0 {
            return 0.0;
        }
        let useful = f64::from(width) * f64::from(height);
        1.0 - useful / (batches as f64 * f64::from(self.fragments_per_batch()))
    }
}
