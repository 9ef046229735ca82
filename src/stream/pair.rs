//! Ping-pong: a pass cannot read its target, so data that change in every pass are stored in two streams.

use super::{Format, Machine, Size, Stream, StreamError};

/// Two streams of one size and format that alternate: the front is read, the back is rendered, then they are
/// swapped.
pub struct Pair {
    front: Stream,
    back: Stream,
}

impl Pair {
    /// Two streams of zeros.
    pub fn zeros(
        machine: &Machine,
        label: &str,
        size: Size,
        format: Format,
    ) -> Result<Self, StreamError> {
        let stream = || Stream::zeros(machine, label, size, format);
        Ok(Self { front: stream()?, back: stream()? })
    }

    /// The stream that was rendered last, and is read.
    pub fn front(&self) -> &Stream {
        &self.front
    }

    /// The stream that is rendered next.
    pub fn back(&self) -> &Stream {
        &self.back
    }

    /// Swaps the two.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.front, &mut self.back);
    }

    /// Lets `draw` render the back, its second argument, from the front; then swaps the two.
    pub fn draw<E>(
        &mut self,
        draw: impl FnOnce(&Stream, &Stream) -> Result<(), E>,
    ) -> Result<(), E> {
        draw(&self.front, &self.back)?;
        self.swap();
        Ok(())
    }
}
