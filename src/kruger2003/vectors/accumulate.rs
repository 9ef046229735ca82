//! How a sum grows over several passes (Krüger and Westermann 2003, section 3.2).
//!
//! The paper binds the render target as a texture too, so that a pass can add to what the last one
//! left. Whether that was defined depended on the driver; with a texture barrier between the passes
//! it is. The other way is to let two textures take turns.

use crate::stream::{Format, Machine, Pass, Size, Stream, StreamError};

/// Where a pass finds what the passes before have summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accumulation {
    /// In another texture; the two take turns.
    #[default]
    PingPong,
    /// In its own target, as the paper does: a feedback pass, after a texture barrier.
    InPlace,
}

impl Accumulation {
    /// Both.
    pub const ALL: [Self; 2] = [Self::PingPong, Self::InPlace];
}

/// The texture beside the result that ping-pong takes, if that is how sums grow.
pub(crate) struct Accumulator {
    spare: Option<Stream>,
}

/// One pass of a sum.
pub(crate) struct Step<'a> {
    /// Its number, from 0.
    pub number: usize,
    /// What the pass before has rendered to. Holds no sum yet before the first pass.
    pub before: &'a Stream,
    /// What this pass renders to.
    pub target: &'a Stream,
    in_place: bool,
}

impl<'a> Step<'a> {
    /// The pass with its input `before` bound.
    pub fn fill(&self, pass: Pass<'a>) -> Pass<'a> {
        let pass = pass.read("before", self.before);
        if self.in_place { pass.feedback() } else { pass }
    }
}

impl Accumulator {
    /// For results of this size and format.
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

    /// So many passes, the last of which renders to `y`.
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
