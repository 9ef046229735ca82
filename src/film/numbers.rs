//! Numbering of the parts that passes share: streams, programs, extents, costs, and calls (a pass without its
//! constants). Each is stored once and referred to by its number.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use crate::card::cost::{CARDS, work};
use crate::card::count::{Count, count};
use crate::program::Listing;
use crate::stream::{self, Drawing, Extent, Limits, PassCounts, Rect, Switches, Work};

use super::blob::{Blob, Span};
use super::caption::caption;
use super::error::FilmError;
use super::seen::Drawn;
use super::trace::{self, Assembly, Call, Cost, Kernel, Stream, Trace};

/// The numbers given so far.
#[derive(Default)]
pub struct Numbers {
    streams: HashMap<u64, usize>,
    texts: HashMap<String, usize>,
    kernels: HashMap<u64, usize>,
    /// Indexed by the kernels' numbers.
    counts: Vec<(Vec<String>, Arc<Count>)>,
    extents: HashMap<(Span, [i32; 2]), usize>,
    costs: HashMap<(usize, PassCounts, Switches), usize>,
    calls: HashMap<Call, usize>,
    /// Indexed by the calls' numbers.
    drawn: Vec<Drawn>,
}

impl Numbers {
    /// Returns the number of a stream, if its creation was recorded.
    pub fn stream(&self, stream: &stream::Stream) -> Option<usize> {
        self.streams.get(&stream.number()).copied()
    }

    /// Numbers a new stream.
    pub fn make(&mut self, stream: &stream::Stream, trace: &mut Trace) -> usize {
        let ((width, height), (buffer, surface)) = (stream.size(), stream.place());
        let number = trace.streams.len();
        trace.streams.push(Stream {
            label: stream.label().into(),
            size: [width, height],
            format: stream.format().to_string().to_uppercase(),
            channels: stream.format().channels(),
            buffer,
            surface,
        });
        self.streams.insert(stream.number(), number);
        number
    }

    /// Forgets a stream that is about to be freed.
    pub fn free(&mut self, stream: &stream::Stream) -> Option<usize> {
        self.streams.remove(&stream.number())
    }

    /// Returns the number of a pass's call, if its target has a number.
    ///
    /// # Errors
    /// If the blob is full.
    pub fn call(
        &mut self,
        pass: Drawing<'_>,
        switches: Switches,
        trace: &mut Trace,
        blob: &mut Blob,
    ) -> Result<Option<usize>, FilmError> {
        let Some(target) = self.stream(pass.target) else {
            return Ok(None);
        };
        let streams = pass.streams.iter();
        let streams = streams.filter_map(|(name, one)| Some((name.to_string(), self.stream(one)?)));
        let streams = streams.collect();
        let constants = pass.constants.iter();
        let constants =
            constants.map(|(name, value)| (name.to_string(), value.numbers().len() as u32));
        let extent = self.extent(pass.extent, trace, blob)?;
        let kernel = self.kernel(pass, trace);
        let call = Call {
            kernel,
            target,
            extent,
            streams,
            constants: constants.collect(),
            feedback: pass.run.feedback,
            cost: self.cost((kernel, *pass.run, switches), trace),
        };
        let drawn = &mut self.drawn;
        Ok(Some(number(&mut self.calls, call, |call| {
            trace.calls.push(call.clone());
            drawn.push(Drawn::new(pass.extent, pass.target.size()));
        })))
    }

    /// Returns the texels that passes of a call draw.
    pub fn drawn(&self, call: usize) -> &Drawn {
        &self.drawn[call]
    }

    fn kernel(&mut self, pass: Drawing<'_>, trace: &mut Trace) -> usize {
        let (text, texts) = (pass.kernel.text(), &mut self.texts);
        let counts = &mut self.counts;
        number(&mut self.kernels, pass.kernel.number(), |_| {
            let (caption, section) = caption(&text.fragment);
            // A program whose instructions cannot be counted costs the same as one without instructions.
            let counted = count(&text.fragment).ok();
            let mut text =
                |text: &String| number(texts, text.clone(), |text| trace.texts.push(text.clone()));
            trace.kernels.push(Kernel {
                name: pass.kernel.name().into(),
                vertex: text(&pass.kernel.text().vertex),
                fragment: text(&pass.kernel.text().fragment),
                points: pass.kernel.is_for_points(),
                caption,
                section,
                instructions: counted.as_ref().map(|count| count.instructions),
                fetches: counted.as_ref().map(|count| count.fetches),
                assembly: assembly(&pass.kernel.text().fragment),
            });
            let streams = pass.kernel.streams().map(str::to_owned);
            counts.push((streams.collect(), counted.unwrap_or_default()));
        })
    }

    fn extent(
        &mut self,
        extent: &Extent,
        trace: &mut Trace,
        blob: &mut Blob,
    ) -> Result<usize, FilmError> {
        let vertices = blob.put(&extent.vertices())?;
        let (moved, rectangles) = match extent {
            Extent::Points(points) => (points.moved(), None),
            Extent::Rects(rects) => {
                let corners = rects.list().iter().flat_map(|&rect| corners(rect));
                let corners: Vec<f32> = corners.map(|number| number as f32).collect();
                ([0, 0], Some(blob.put(&corners)?))
            }
        };
        Ok(number(&mut self.extents, (vertices, moved), |_| {
            trace.extents.push(trace::Extent { vertices, rectangles, moved });
        }))
    }

    fn cost(&mut self, of: (usize, PassCounts, Switches), trace: &mut Trace) -> usize {
        let counts = &self.counts;
        number(&mut self.costs, of, |(kernel, run, switches)| {
            let (streams, count) = &counts[*kernel];
            trace.costs.push(cost(run, streams, count, *switches));
        })
    }
}

/// Returns the number of an item; a new item is stored first and gets the next number.
fn number<K: Eq + Hash>(known: &mut HashMap<K, usize>, thing: K, store: impl FnOnce(&K)) -> usize {
    if let Some(&number) = known.get(&thing) {
        return number;
    }
    let number = known.len();
    store(&thing);
    known.insert(thing, number);
    number
}

/// Returns the listing of a program that a card of 2003 has room for.
fn assembly(text: &str) -> Option<Assembly> {
    let listing = Listing::of(text).ok()?;
    let lines = listing.instructions.iter().map(|one| one.line);
    (listing.instructions.len() <= Limits::NV30.instructions as usize)
        .then(|| Assembly { text: listing.to_string(), lines: lines.collect() })
}

fn cost(run: &PassCounts, streams: &[String], count: &Count, switches: Switches) -> Cost {
    let switch = f64::from(u8::from(switches.target));
    let Work { fragments, fetches, bytes_read, bytes_written, .. } = work(run, streams, count);
    Cost {
        fragments,
        tuples: run.tuples,
        fetches,
        bytes_read,
        bytes_written,
        target_switches: switches.target.into(),
        buffer_switches: switches.buffer.into(),
        context_switches: switches.context.into(),
        program_switches: switches.program.into(),
        seconds: CARDS.map(|card| card.run_seconds(run, streams, count)).into(),
        switching: CARDS.map(|card| switch * card.driver.switch).into(),
    }
}

/// A part of a texture, in the trace's format.
pub fn corners(part: Rect) -> [u32; 4] {
    [part.x, part.y, part.width, part.height]
}
