//! What passes have in common, each written down once and called by its number: streams, programs,
//! extents, costs, and calls, which are all of a pass but its constants.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use rustc_hash::FxHashMap;

use crate::card::cost::{CARDS, bytes_read};
use crate::card::count::{Count, count};
use crate::stream::{Drawing, Extent, Point, ProgramText, Rect, Run, STREAMS, Surface, Switches};

use super::caption::caption;
use super::container::Film;
use super::trace::{self, Call, Cost, Kernel, Stream};

/// What has a number.
#[derive(Default)]
pub struct Numbers {
    streams: FxHashMap<u64, usize>,
    texts: HashMap<String, usize>,
    kernels: FxHashMap<*const ProgramText, Program>,
    counting: Option<Counting>,
    extents: FxHashMap<(usize, [i32; 2]), (usize, Held)>,
    costs: FxHashMap<(usize, Run, Switches), usize>,
    /// What each of these is the cost of, in order.
    priced: Vec<(usize, Run, Switches)>,
    calls: FxHashMap<Known, usize>,
}

/// A pass that came before, by what it is known by without looking anything up.
#[derive(PartialEq, Eq, Hash)]
struct Known {
    kernel: *const ProgramText,
    target: u64,
    extent: (usize, [i32; 2]),
    /// In the order in which they are given.
    streams: [u64; STREAMS],
    run: Run,
    switches: Switches,
}

/// A program.
struct Program {
    number: usize,
    /// Keeps it alive, so that nothing else comes to lie where it is known to lie.
    text: Rc<ProgramText>,
}

/// Counts the instructions of programs while the run goes on.
struct Counting {
    texts: Sender<String>,
    thread: JoinHandle<()>,
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
        let mut streams = [0; STREAMS];
        for (number, (_, stream)) in streams.iter_mut().zip(pass.streams) {
            *number = stream.number();
        }
        let known = Known {
            kernel: Rc::as_ptr(pass.kernel.text()),
            target: pass.target.number(),
            extent: place(pass.extent),
            streams,
            run: *pass.run,
            switches,
        };
        if let Some(&number) = self.calls.get(&known) {
            return Some(number);
        }
        let target = self.stream(pass.target)?;
        let extent = self.extent(pass.extent, film);
        let kernel = self.kernel(pass, film);
        let cost = self.cost((kernel, *pass.run, switches));
        let streams = pass.streams.iter();
        let streams =
            streams.filter_map(|(name, one)| Some((name.to_string(), self.stream(*one)?)));
        let constants = pass.constants.iter();
        let number = film.trace.calls.len();
        film.trace.calls.push(Call {
            kernel,
            target,
            extent,
            streams: streams.collect(),
            constants: constants
                .map(|(name, value)| (name.to_string(), value.len() as u32))
                .collect(),
            feedback: pass.run.feedback,
            cost,
        });
        self.calls.insert(known, number);
        Some(number)
    }

    fn kernel(&mut self, pass: Drawing<'_>, film: &mut Film) -> usize {
        let text = pass.kernel.text();
        if let Some(known) = self.kernels.get(&Rc::as_ptr(text)) {
            return known.number;
        }
        let (caption, section) = caption(&text.fragment);
        let kernel = Kernel {
            name: pass.kernel.name().into(),
            vertex: self.text(&text.vertex, film),
            fragment: self.text(&text.fragment, film),
            points: pass.kernel.is_for_points(),
            caption,
            section,
            instructions: None,
            fetches: None,
        };
        let number = film.trace.kernels.len();
        film.trace.kernels.push(kernel);
        if self.counting.is_none() {
            self.counting = Counting::start();
        }
        if let Some(counting) = &self.counting {
            // It is there as long as this is.
            let _ = counting.texts.send(text.fragment.clone());
        }
        let text = Rc::clone(text);
        self.kernels
            .insert(Rc::as_ptr(&text), Program { number, text });
        number
    }

    fn text(&mut self, text: &str, film: &mut Film) -> usize {
        let texts = &mut film.trace.texts;
        *self.texts.entry(text.to_owned()).or_insert_with(|| {
            texts.push(text.to_owned());
            texts.len() - 1
        })
    }

    /// That of an extent that came before.
    pub fn known_extent(&self, extent: Extent<'_>) -> Option<usize> {
        self.extents.get(&place(extent)).map(|(number, _)| *number)
    }

    fn extent(&mut self, extent: Extent<'_>, film: &mut Film) -> usize {
        let place = place(extent);
        if let Some(number) = self.known_extent(extent) {
            return number;
        }
        let held = match extent {
            Extent::Rects(rects) => Held::Rects(Rc::clone(rects.list())),
            Extent::Points(points) => Held::Points(Rc::clone(points.list())),
        };
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
            moved: place.1,
        });
        self.extents.insert(place, (number, held));
        number
    }

    fn cost(&mut self, of: (usize, Run, Switches)) -> usize {
        *self.costs.entry(of).or_insert_with(|| {
            self.priced.push(of);
            self.priced.len() - 1
        })
    }

    /// Writes down what programs count and passes cost. A program that cannot be counted costs what one
    /// without instructions does.
    pub fn finish(self, film: &mut Film) {
        if let Some(counting) = self.counting {
            counting.finish();
        }
        let mut counts = vec![Arc::default(); film.trace.kernels.len()];
        for program in self.kernels.into_values() {
            // Known by now, but where there was no thread for it.
            if let Ok(counted) = count(&program.text.fragment) {
                let kernel = &mut film.trace.kernels[program.number];
                kernel.instructions = Some(counted.instructions);
                kernel.fetches = Some(counted.fetches);
                counts[program.number] = counted;
            }
        }
        let costs = self.priced.iter();
        film.trace.costs = costs
            .map(|(kernel, run, switches)| cost(run, &counts[*kernel], *switches))
            .collect();
    }
}

impl Counting {
    /// None where there can be no thread.
    fn start() -> Option<Self> {
        let (texts, waiting) = channel::<String>();
        // What comes out is remembered there, an error too.
        let work = move || waiting.iter().for_each(|text| drop(count(&text)));
        let thread = thread::Builder::new().spawn(work).ok()?;
        Some(Self { texts, thread })
    }

    /// Waits for the last one.
    fn finish(self) {
        drop(self.texts);
        // Who counts tells of errors, and does not panic.
        let _ = self.thread.join();
    }
}

/// Where an extent's numbers lie, and what they are moved by.
fn place(extent: Extent<'_>) -> (usize, [i32; 2]) {
    match extent {
        Extent::Rects(rects) => (rects.list().as_ptr() as usize, [0, 0]),
        Extent::Points(points) => (points.list().as_ptr() as usize, points.moved()),
    }
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
