//! What passes have in common, each written down once and called by its number: streams, programs,
//! extents, costs, and calls, which are all of a pass but its constants.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use crate::card::cost::{CARDS, bytes_read};
use crate::card::count::{Count, count};
use crate::stream::{Drawing, Extent, Point, ProgramText, Rect, Run, Surface, Switches};

use super::caption::caption;
use super::container::Film;
use super::trace::{self, Call, Cost, Kernel, Stream};

/// What has a number.
#[derive(Default)]
pub struct Numbers {
    streams: HashMap<u64, usize>,
    texts: HashMap<String, usize>,
    kernels: HashMap<*const ProgramText, Known>,
    extents: HashMap<(usize, [i32; 2]), (usize, Held)>,
    costs: BTreeMap<(usize, Run, Switches), usize>,
    /// By the numbers of kernel, target, extent, cost, and what is read.
    calls: HashMap<Vec<Option<usize>>, usize>,
}

/// A program.
struct Known {
    number: usize,
    /// What it costs; a program that cannot be counted costs what one without instructions does.
    count: Arc<Count>,
    /// The names of its streams, in the order of calls.
    streams: Vec<String>,
    /// Keeps it alive, so that nothing else comes to lie where it is known to lie.
    _text: Rc<ProgramText>,
}

/// Keeps an extent's numbers alive, likewise; what is in graphics memory may go.
#[expect(dead_code, reason = "held, not read")]
enum Held {
    Rects(Rc<[Rect]>),
    Points(Rc<[Point]>),
}

impl Numbers {
    /// That of a stream, if this looked on when it was made.
    pub fn stream(&self, stream: &dyn Surface) -> Option<usize> {
        self.streams.get(&stream.number()).copied()
    }

    /// A new stream's.
    pub fn make(&mut self, stream: &dyn Surface, film: &mut Film) -> usize {
        let ((width, height), (buffer, surface)) = (stream.size(), stream.place());
        let number = film.trace.streams.len();
        film.trace.streams.push(Stream {
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

    /// That of a stream that is about to go.
    pub fn free(&mut self, stream: &dyn Surface) -> Option<usize> {
        self.streams.remove(&stream.number())
    }

    /// That of what a pass draws, if its target has one.
    pub fn call(
        &mut self,
        pass: Drawing<'_>,
        switches: Switches,
        film: &mut Film,
    ) -> Option<usize> {
        let target = self.stream(pass.target)?;
        let extent = self.extent(pass.extent, film);
        let kernel = self.kernel(pass, film);
        let cost = self.cost(kernel, pass, switches, film);
        let names = &self.kernels[&Rc::as_ptr(pass.kernel.text())].streams;
        let read = names.iter().map(|name| {
            let found = pass.streams.iter().find(|(known, _)| known == name);
            found.and_then(|(_, stream)| self.stream(*stream))
        });
        let key: Vec<_> = [kernel, target, extent, cost]
            .into_iter()
            .map(Some)
            .chain(read)
            .collect();
        if let Some(&number) = self.calls.get(&key) {
            return Some(number);
        }
        let number = film.trace.calls.len();
        let streams = names.iter().zip(&key[4..]);
        film.trace.calls.push(Call {
            kernel,
            target,
            extent,
            streams: streams
                .filter_map(|(name, stream)| Some((name.clone(), (*stream)?)))
                .collect(),
            constants: sorted(pass.constants),
            feedback: pass.run.feedback,
            cost,
        });
        self.calls.insert(key, number);
        Some(number)
    }

    fn kernel(&mut self, pass: Drawing<'_>, film: &mut Film) -> usize {
        let text = pass.kernel.text();
        if let Some(known) = self.kernels.get(&Rc::as_ptr(text)) {
            return known.number;
        }
        let counted = count(&text.fragment).ok();
        let (caption, section) = caption(&text.fragment);
        let kernel = Kernel {
            name: pass.kernel.name().into(),
            vertex: self.text(&text.vertex, film),
            fragment: self.text(&text.fragment, film),
            points: pass.kernel.is_for_points(),
            caption,
            section,
            instructions: counted.as_ref().map(|count| count.instructions),
            fetches: counted.as_ref().map(|count| count.fetches),
        };
        let number = film.trace.kernels.len();
        film.trace.kernels.push(kernel);
        let known = Known {
            number,
            count: counted.unwrap_or_default(),
            streams: sorted(pass.streams),
            _text: Rc::clone(text),
        };
        self.kernels.insert(Rc::as_ptr(text), known);
        number
    }

    fn text(&mut self, text: &str, film: &mut Film) -> usize {
        let texts = &mut film.trace.texts;
        *self.texts.entry(text.to_owned()).or_insert_with(|| {
            texts.push(text.to_owned());
            texts.len() - 1
        })
    }

    fn extent(&mut self, extent: Extent<'_>, film: &mut Film) -> usize {
        let (place, moved, held) = match extent {
            Extent::Rects(rects) => {
                let held = Held::Rects(Rc::clone(rects.list()));
                (rects.list().as_ptr() as usize, [0, 0], held)
            }
            Extent::Points(points) => {
                let held = Held::Points(Rc::clone(points.list()));
                (points.list().as_ptr() as usize, points.moved(), held)
            }
        };
        if let Some((number, _)) = self.extents.get(&(place, moved)) {
            return *number;
        }
        let rectangles = match extent {
            Extent::Points(_) => None,
            Extent::Rects(rects) => {
                let corners = rects.list().iter().flat_map(|&rect| corners(rect));
                let corners: Vec<f32> = corners.map(|number| number as f32).collect();
                Some(film.blob.put(&corners))
            }
        };
        let number = film.trace.extents.len();
        film.trace.extents.push(trace::Extent {
            vertices: film.blob.put(&extent.vertices()),
            rectangles,
            moved,
        });
        self.extents.insert((place, moved), (number, held));
        number
    }

    fn cost(
        &mut self,
        kernel: usize,
        pass: Drawing<'_>,
        switches: Switches,
        film: &mut Film,
    ) -> usize {
        let count = &self.kernels[&Rc::as_ptr(pass.kernel.text())].count;
        let costs = &mut film.trace.costs;
        let number = self.costs.entry((kernel, *pass.run, switches));
        *number.or_insert_with(|| {
            costs.push(cost(pass.run, count, switches));
            costs.len() - 1
        })
    }
}

/// Names of inputs, in one order for all passes.
fn sorted<T>(inputs: &[(&str, T)]) -> Vec<String> {
    let mut names: Vec<String> = inputs.iter().map(|(name, _)| name.to_string()).collect();
    names.sort_unstable();
    names
}

fn cost(run: &Run, count: &Count, switches: Switches) -> Cost {
    let switch = f64::from(u8::from(switches.target));
    Cost {
        fragments: run.fragments,
        tuples: run.tuples,
        fetches: count.fetches_of(run.fragments, run.iterations).sum(),
        bytes_read: bytes_read(run, count),
        bytes_written: run.bytes_written,
        target_switches: switches.target.into(),
        buffer_switches: switches.buffer.into(),
        context_switches: switches.context.into(),
        program_switches: switches.program.into(),
        seconds: CARDS.map(|card| card.run_seconds(run, count)).into(),
        switching: CARDS.map(|card| switch * card.driver.switch).into(),
    }
}

/// A part of a texture as a trace has it.
pub fn corners(part: Rect) -> [u32; 4] {
    [part.x, part.y, part.width, part.height]
}
