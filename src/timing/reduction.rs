//! A reduction with its read-back: its ceiling has the same number of passes with four fetches each; the CPU
//! program is a sum.

use std::hint::black_box;

use crate::stream::{Machine, Pass, Rects, Source, Stream, StreamError, source};

use super::case::Case;
use super::cpu::sum;
use super::rig::{Work, program, work};

const CEILING: Source = source!("stream/reduce_ceiling");

/// A sum of `entries` entries in a stream of this size and format, with its ceiling and its CPU program.
pub fn case<'a>(
    machine: &Machine,
    kernel: Work<'a>,
    x: Stream,
    entries: usize,
) -> Result<Case<'a>, StreamError> {
    let mut levels: Vec<(Rects, Stream)> = Vec::new();
    let (mut width, mut height) = x.size();
    while width > 1 || height > 1 {
        (width, height) = (width.div_ceil(2), height.div_ceil(2));
        let stream = Stream::zeros(machine, "level", (width, height), x.format())?;
        levels.push((machine.rect(stream.full())?, stream));
    }
    let fetch = machine.kernel(&CEILING, &[])?;
    let ceiling = work(move |_| {
        let mut last = &x;
        for (rects, stream) in &levels {
            Pass::new(&fetch).read("x", last).draw(stream, rects)?;
            last = stream;
        }
        last.read_record(0, 0).map(drop)
    });
    let ones = vec![1.0f32; entries];
    let cpu = program(move |_| {
        black_box(sum(black_box(&ones)));
    });
    Ok(Case::new(kernel).beside(ceiling, 1.0).against(cpu))
}
