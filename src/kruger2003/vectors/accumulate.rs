//! Accumulation of a sum over several passes (Krüger and Westermann 2003, section 3.2).
//!
//! The paper binds the render target as a texture too, so that a pass can add to the result of the previous
//! one. Whether that was defined depended on the driver; with a texture barrier between the passes
//! it is. The alternative is to use two textures alternately (ping-pong).

use crate::stream::{Format, Machine, Pass, Size, Stream, StreamError};

/// Location of the partial sum that a pass reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accumulation {
    /// Another texture; two are used alternately.
    #[default]
    PingPong,
    /// The pass's own target, as in the paper: a feedback pass, after a texture barrier.
    InPlace,
}

impl Accumulation {
    /// Both methods.
    pub const ALL: [Self; 2] = [Self::PingPong, Self::InPlace];
}

/// The second texture for ping-pong, if sums are accumulated that way.
pub(crate) struct Accumulator {
    spare: Option<Stream>,
}

/// One pass of a sum.
pub(crate) struct Step<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// Target of the previous pass. Holds no sum yet before the first pass.
    pub before: &'a Stream,
    /// Target of this pass.
    pub target: &'a Stream,
    in_place: bool,
}

impl<'a> Step<'a> {
    /// Binds the input `before` of the pass.
    pub fn fill(&self, pass: Pass<'a>) -> Pass<'a> {
        let pass = pass.read("before", self.before);
        if self.in_place { pass.feedback() } else { pass }
    }
}

impl Accumulator {
    /// Creates it for results of this size and format.
    pub fn new(
        machine: &Machine,
        accumulation: Accumulation,
        size: Size,
        format: Format,
    ) -> Result<Self, StreamError> {
        let spare = match accumulation {
            Accumulation::PingPong => Some(Stream::zeros(machine, "partial sum", size, format)?),
            Accumulation::InPlace => None,
        };
        Ok(Self { spare })
    }

    /// Sets both textures to zero, for passes that do not write all of their target.
    pub fn clear(&self, y: &Stream) {
        y.fill([0.0; 4]);
        if let Some(spare) = &self.spare {
            spare.fill([0.0; 4]);
        }
    }

    /// Runs a number of passes, the last of which renders to `y`.
    pub fn run<E>(
        &self,
        passes: usize,
        y: &Stream,
        mut draw: impl FnMut(Step<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        (0..passes).try_for_each(|number| {
            let (before, target) = match &self.spare {
                None => (y, y),
                Some(spare) if (passes - number) % 2 == 1 => (spare, y),
                Some(spare) => (y, spare),
            };
            draw(Step {
                number,
                before,
                target,
                in_place: self.spare.is_none(),
            })
        })
    }
}
