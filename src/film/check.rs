//! Checks of a film that somebody else may have written: each index is below the length of its table, and each span is
//! inside the floats and as long as what it describes.

use super::blob::Span;
use super::trace::{Call, Event, Extent, Pass, Still, Stream, Trace};

type Checked = Result<(), String>;

/// Largest side of a texture.
const SIDE: u32 = 1 << 16;

impl Trace {
    /// Checks all numbers of the trace, given the number of its floats.
    pub(super) fn check(&self, floats: usize) -> Checked {
        let scenes = self.events.iter().filter(|one| matches!(one, Event::Scene { .. })).count();
        index("opens", self.opens, scenes + 1)?;
        for kernel in &self.kernels {
            index("text", kernel.vertex.max(kernel.fragment), self.texts.len())?;
        }
        for Stream { size, channels, .. } in &self.streams {
            index("channel", channels.wrapping_sub(1), 4)?;
            if !size.iter().all(|side| (1..=SIDE).contains(side)) {
                return Err(format!("a stream of {} × {} records", size[0], size[1]));
            }
        }
        for Extent { vertices, rectangles, .. } in &self.extents {
            inside(*vertices, floats)?;
            // Six corners of two floats for the four of a rectangle, or points of five floats.
            match rectangles {
                Some(rectangles) => {
                    inside(*rectangles, floats)?;
                    equal(vertices.1.into(), 3 * u64::from(rectangles.1))?;
                    equal(0, u64::from(rectangles.1 % 4))?;
                }
                None => equal(0, u64::from(vertices.1 % 5))?,
            }
        }
        for cost in &self.costs {
            equal(cost.seconds.len() as u64, self.cards.len() as u64)?;
            equal(cost.switching.len() as u64, self.cards.len() as u64)?;
        }
        for call in &self.calls {
            index("kernel", call.kernel, self.kernels.len())?;
            index("extent", call.extent, self.extents.len())?;
            index("cost", call.cost, self.costs.len())?;
            call.streams.values().try_for_each(|&one| self.stream(one).map(drop))?;
            self.stream(call.target)?;
        }
        self.events.iter().try_for_each(|event| self.check_event(event, floats))?;
        self.still.as_ref().map_or(Ok(()), |Still { stream, size, values }| {
            inside(*values, floats)?;
            self.covers(*stream, [0, 0, size[0], size[1]], *values)
        })
    }

    fn check_event(&self, event: &Event, floats: usize) -> Checked {
        match event {
            Event::Make { stream } | Event::Free { stream } => self.stream(*stream).map(drop),
            Event::Upload { stream, rectangle, data } => {
                inside(*data, floats)?;
                self.covers(*stream, *rectangle, *data)
            }
            Event::Outside { stream, data } => {
                inside(*data, floats)?;
                let [width, height] = self.stream(*stream)?.size;
                self.covers(*stream, [0, 0, width, height], *data)
            }
            Event::Fill { stream, value } => {
                inside(*value, floats)?;
                self.stream(*stream)?;
                equal(value.1.into(), 4)
            }
            Event::Read { stream, rectangle, .. } => self.part(*stream, *rectangle).map(drop),
            Event::Pass(Pass { call, values }) => {
                index("call", *call, self.calls.len())?;
                inside(*values, floats)?;
                let Call { constants, target, .. } = &self.calls[*call];
                let constants: u64 = constants.iter().map(|(_, count)| u64::from(*count)).sum();
                let least = constants + 2 + self.stream(*target)?.channels as u64;
                if u64::from(values.1) < least {
                    return Err(format!("a pass with {} floats for {least}", values.1));
                }
                Ok(())
            }
            Event::Geometry { .. } | Event::Count { .. } | Event::Scene { .. } => Ok(()),
        }
    }

    fn stream(&self, number: usize) -> Result<&Stream, String> {
        index("stream", number, self.streams.len())?;
        Ok(&self.streams[number])
    }

    /// The number of floats in a part of a stream.
    fn part(&self, stream: usize, [x, y, width, height]: [u32; 4]) -> Result<u64, String> {
        let Stream { size, channels, .. } = self.stream(stream)?;
        let fits =
            |from: u32, length: u32, size: u32| u64::from(from) + u64::from(length) <= size.into();
        if !fits(x, width, size[0]) || !fits(y, height, size[1]) {
            return Err("a rectangle outside its stream".into());
        }
        Ok(u64::from(width) * u64::from(height) * *channels as u64)
    }

    /// Checks that a span has the channels of this part of a stream.
    fn covers(&self, stream: usize, part: [u32; 4], data: Span) -> Checked {
        equal(data.1.into(), self.part(stream, part)?)
    }
}

fn index(what: &str, number: usize, length: usize) -> Checked {
    if number < length { Ok(()) } else { Err(format!("{what} {number} of {length}")) }
}

fn inside(Span(first, count): Span, floats: usize) -> Checked {
    let end = u64::from(first) + u64::from(count);
    if end <= floats as u64 { Ok(()) } else { Err(format!("a span to float {end} of {floats}")) }
}

fn equal(found: u64, expected: u64) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{found} floats for {expected}")) }
}
