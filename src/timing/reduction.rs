//! The ceiling of a reduction: as many passes, of four fetches each, and a read-back.

use crate::stream::{Machine, Pass, Rects, Source, Stream, StreamError, source};

use super::rig::{Work, work};

const CEILING: Source = source!("stream/reduce_ceiling");

/// The ceiling of reducing a stream of this one's size and format.
pub fn ceiling(machine: &Machine, x: Stream) -> Result<Work<'static>, StreamError> {
    let mut levels: Vec<(Rects, Stream)> = Vec::new();
    let (mut width, mut height) = x.size();
    while width > 1 || height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
        let stream = Stream::zeros(machine, "level", (width, height), x.format())?;
        levels.push((machine.rect(stream.full())?, stream));
    }
    let program = machine.kernel(&CEILING, &[])?;
    Ok(work(move |_| {
        let mut last = &x;
        for (rects, stream) in &levels {
            Pass::new(&program).read("x", last).draw(stream, rects)?;
            last = stream;
        }
        last.read_record(0, 0).map(drop)
    }))
}
