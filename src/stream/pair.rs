//! Ping-pong: a pass cannot read its target, so what changes from pass to pass lies in two streams.

use super::{Format, Machine, Size, Stream, StreamError};

/// Two streams of one size and format that take turns: the front holds what is known, the back is
/// rendered, then they change places.
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
        Ok(Self {
            front: stream()?,
            back: stream()?,
        })
    }

    /// The stream that was rendered last.
    pub fn front(&self) -> &Stream {
        &self.front
    }

    /// The other one: for what is rendered in between.
    pub fn back(&self) -> &Stream {
        &self.back
    }

    /// Lets `draw` render the second stream that it is given, the back, from the first; then the
    /// two change places.
    pub fn draw<E>(
        &mut self,
        draw: impl FnOnce(&Stream, &Stream) -> Result<(), E>,
    ) -> Result<(), E> {
        draw(&self.front, &self.back)?;
        std::mem::swap(&mut self.front, &mut self.back);
        Ok(())
    }
}
