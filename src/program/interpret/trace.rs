//! The fetches of a run, in the order in which a card makes them.

use super::{Arithmetic, InterpretError, Point, Rect, Run};

/// Order in which a card runs the fragments of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Batches of 512 fragments, in tuples of 2 x 2 along the rows: a batch finishes an instruction before it
    /// begins the next (NV30).
    Batches,
    /// Each fragment from its first instruction to its last, in tuples of 2 x 2 along the rows (a bound for
    /// R300).
    Fragments,
}

/// Tuples of a batch.
const TUPLES: usize = 128;
/// Fragments of a tuple.
const TUPLE: usize = 4;

impl<T: Arithmetic> Run<'_, T> {
    /// Passes the number of the stream, in the order of the program's declarations, and the texel of each fetch
    /// to `fetched`. A batch does not continue in another rectangle. `size` is the target's.
    pub fn trace(
        mut self,
        size: (usize, usize),
        rectangles: &[Rect],
        order: Order,
        mut fetched: impl FnMut(usize, usize),
    ) -> Result<(), InterpretError> {
        self.start(size)?;
        let textures = self.textures()?;
        // Two columns: a tuple has four lanes in sequence.
        let mut lanes = self.lanes(2, 2 * TUPLES)?;
        for rect in rectangles {
            let coordinates = self.corners(*rect)?;
            let ends = [rect.x + rect.width, rect.y + rect.height].map(|end| end as usize);
            let starts = |first: u32, end| (first as usize / 2 * 2..end).step_by(2);
            let rows = starts(rect.y, ends[1]);
            let tuples = rows.flat_map(|y| starts(rect.x, ends[0]).map(move |x| (x, y)));
            let tuples: Vec<(usize, usize)> = tuples.collect();
            for batch in tuples.chunks(TUPLES) {
                let place = |lane: usize| {
                    let (x, y) = batch[lane / TUPLE];
                    (x + lane % 2, y + lane / 2 % 2)
                };
                for lane in 0..batch.len() * TUPLE {
                    self.fill(&mut lanes, lane, place(lane), (*rect, &coordinates));
                }
                let is_inside = |lane: usize| {
                    lane / TUPLE < batch.len() && {
                        let (x, y) = place(lane);
                        (rect.x as usize..ends[0]).contains(&x)
                            && (rect.y as usize..ends[1]).contains(&y)
                    }
                };
                let mut trace = Trace { order, fetches: Vec::new(), fetched: &mut fetched };
                lanes.run_watched(&textures, &mut |stream, lane, texel| {
                    if is_inside(lane) {
                        trace.add(stream, lane, texel);
                    }
                });
                trace.end();
            }
        }
        Ok(())
    }

    /// Traces the fetches of points, each a tuple of its own, all moved by `offset`.
    pub fn trace_points(
        self,
        size: (usize, usize),
        points: &[Point],
        offset: [i32; 2],
        order: Order,
        mut fetched: impl FnMut(usize, usize),
    ) -> Result<(), InterpretError> {
        let mut run = self.set("target_offset", offset.map(f64::from));
        run.start(size)?;
        let textures = run.textures()?;
        for batch in points.chunks(TUPLES) {
            let (mut lanes, _) = run.at_points(batch, offset, size)?;
            let mut trace = Trace { order, fetches: Vec::new(), fetched: &mut fetched };
            lanes.run_watched(&textures, &mut |stream, lane, texel| trace.add(stream, lane, texel));
            trace.end();
        }
        Ok(())
    }
}

/// Fetches of a batch, which arrive instruction by instruction.
struct Trace<F> {
    order: Order,
    /// Lane, stream and texel of each, unless they are passed on at once.
    fetches: Vec<(usize, usize, usize)>,
    fetched: F,
}

impl<F: FnMut(usize, usize)> Trace<F> {
    fn add(&mut self, stream: usize, lane: usize, texel: usize) {
        match self.order {
            Order::Batches => (self.fetched)(stream, texel),
            Order::Fragments => self.fetches.push((lane, stream, texel)),
        }
    }

    fn end(mut self) {
        self.fetches.sort_by_key(|&(lane, ..)| lane);
        for (_, stream, texel) in self.fetches {
            (self.fetched)(stream, texel);
        }
    }
}
