//! The recorder: writes down what a machine does while it looks on.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::rc::Rc;

use crate::card::cost::{CARDS, bytes_read};
use crate::card::count::count;
use crate::stream::{
    Drawing, Extent, Machine, Observation, Observer, Point, ProgramText, Rect, Run, Surface,
    Switches,
};

use super::blob::Blob;
use super::caption::caption;
use super::container::Film;
use super::error::{FilmError, Limits};
use super::fingerprint::{Drawn, hash};
use super::trace::{self, Card, Cost, Event, Kernel, Made, Pass, Still, Stream, Trace, VERSION};

/// Texels a side of the picture that stands for a texture where none can be drawn.
const STILL: u32 = 128;

/// What a film is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The scene's name, or that of the command.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The paper's name, or nothing.
    pub paper: String,
    /// Its section, or nothing.
    pub section: String,
    /// The command that makes it.
    pub command: String,
}

/// Looks on while a machine works, and makes a film of it.
///
/// What passes draw is read beside the ledger and not kept: of each there is a hash, the largest
/// numbers, and a few texels. All texels may go to a file, for tests.
pub struct Recorder {
    state: Rc<RefCell<State>>,
    observation: Observation,
}

/// What is known of a run so far.
struct State {
    trace: Trace,
    blob: Blob,
    limits: Limits,
    /// Why nothing more is recorded.
    failure: Option<FilmError>,
    texels: Option<Box<dyn Write>>,
    passes: usize,
    texture_bytes: u64,
    /// What the last pass rendered to.
    last: Option<Last>,
    streams: HashMap<u64, usize>,
    texts: HashMap<String, usize>,
    kernels: HashMap<*const ProgramText, (usize, Rc<ProgramText>)>,
    extents: HashMap<(usize, [i32; 2]), (usize, Held)>,
    costs: BTreeMap<(usize, Run, Switches), usize>,
}

/// What a pass rendered to: what it drew, or, once the stream is about to be freed, all of it.
struct Last {
    stream: usize,
    size: [u32; 2],
    data: Vec<f32>,
}

/// Keeps an extent's numbers alive, so that nothing else comes to lie where they are known to lie; what
/// is in graphics memory may go.
#[expect(dead_code, reason = "held, not read")]
enum Held {
    Rects(Rc<[Rect]>),
    Points(Rc<[Point]>),
}

impl Recorder {
    /// Begins to record. `texels` gets the whole target of every pass: eight bytes `fragtexl`, the
    /// version, a zero, then floats alone, all little-endian.
    ///
    /// # Errors
    /// When the machine has streams already, or the texels cannot be written.
    pub fn start(
        machine: &Machine,
        about: About,
        limits: Limits,
        mut texels: Option<Box<dyn Write>>,
    ) -> Result<Self, FilmError> {
        if let Some(texels) = &mut texels {
            let header = [VERSION, 0].map(u32::to_le_bytes).concat();
            let written = texels.write_all(&[&b"fragtexl"[..], &header].concat());
            written.map_err(|error| FilmError::Texels(error.to_string()))?;
        }
        let description = machine.context().description();
        let cards = CARDS.map(|card| Card {
            card: card.device.name.into(),
            driver: card.driver.name.into(),
        });
        let state = State {
            trace: Trace {
                version: VERSION,
                made: Made {
                    version: env!("CARGO_PKG_VERSION").into(),
                    renderer: description.renderer.clone(),
                    command: about.command,
                },
                name: about.name,
                title: about.title,
                paper: about.paper,
                section: about.section,
                cards: cards.into(),
                ..Trace::default()
            },
            blob: Blob::default(),
            limits,
            failure: None,
            texels,
            passes: 0,
            texture_bytes: 0,
            last: None,
            streams: HashMap::new(),
            texts: HashMap::new(),
            kernels: HashMap::new(),
            extents: HashMap::new(),
            costs: BTreeMap::new(),
        };
        let state = Rc::new(RefCell::new(state));
        let observer = Rc::new(Writer(Rc::clone(&state)));
        Ok(Self {
            observation: machine.observe(observer)?,
            state,
        })
    }

    /// Whether there was more to record than a film holds.
    pub fn is_full(&self) -> bool {
        self.state.borrow().failure.is_some()
    }

    /// Ends recording.
    ///
    /// # Errors
    /// When the run was more than a film holds, or drew nothing.
    pub fn finish(self) -> Result<Film, FilmError> {
        drop(self.observation);
        let mut state = self.state.borrow_mut();
        if let Some(texels) = &mut state.texels {
            let flushed = texels.flush();
            flushed.map_err(|error| FilmError::Texels(error.to_string()))?;
        }
        match state.failure.take() {
            Some(FilmError::Passes(limits)) if limits.cut => {}
            Some(failure) => return Err(failure),
            None => {}
        }
        let Some(last) = state.last.take() else {
            return Err(FilmError::Empty(state.trace.name.clone()));
        };
        let still = state.still(&last);
        state.trace.still = Some(still);
        Ok(Film {
            trace: std::mem::take(&mut state.trace),
            blob: std::mem::take(&mut state.blob),
        })
    }
}

impl State {
    /// The number of a stream that was made while this looked on.
    fn stream(&self, stream: &dyn Surface) -> Option<usize> {
        self.streams.get(&stream.number()).copied()
    }

    fn make(&mut self, stream: &dyn Surface) -> Result<(), FilmError> {
        let ((width, height), (buffer, surface)) = (stream.size(), stream.place());
        let number = self.trace.streams.len();
        self.trace.streams.push(Stream {
            label: stream.label().into(),
            size: [width, height],
            format: stream.format().to_string().to_uppercase(),
            channels: stream.format().channels(),
            buffer,
            surface,
        });
        self.streams.insert(stream.number(), number);
        self.trace.events.push(Event::Make { stream: number });
        self.texture_bytes += bytes(stream);
        match self.texture_bytes <= self.limits.texture_bytes {
            true => Ok(()),
            false => Err(FilmError::Textures(self.limits.clone())),
        }
    }

    fn upload(&mut self, stream: &dyn Surface, part: Rect, data: &[f32]) {
        let Some(stream) = self.stream(stream) else {
            return;
        };
        let data = self.blob.put(data);
        self.trace.events.push(Event::Upload {
            stream,
            rectangle: corners(part),
            data,
        });
    }

    fn outside(&mut self, stream: &dyn Surface) -> Result<(), FilmError> {
        if let Some(number) = self.stream(stream) {
            let data = self.blob.put(&stream.peek()?);
            let stream = number;
            self.trace.events.push(Event::Outside { stream, data });
        }
        Ok(())
    }

    fn pass(&mut self, pass: Drawing<'_>, switches: Switches) -> Result<(), FilmError> {
        self.passes += 1;
        if self.passes > self.limits.passes {
            return Err(FilmError::Passes(self.limits.clone()));
        }
        if let Some(texels) = &mut self.texels {
            let data = pass.target.peek()?;
            let bytes: Vec<u8> = data.iter().flat_map(|value| value.to_le_bytes()).collect();
            let written = texels.write_all(&bytes);
            written.map_err(|error| FilmError::Texels(error.to_string()))?;
        }
        // The rest of a target, often most of it, is as it was.
        let drawn = Drawn::new(pass.extent, pass.target.size(), self.passes);
        let data = pass.target.peek_part(drawn.part)?;
        let format = pass.target.format();
        let peak = drawn.peak(&data, format.channels());
        let samples = drawn.samples(&data, format.channels());
        let kernel = self.kernel(pass);
        let Some(target) = self.stream(pass.target) else {
            return Ok(());
        };
        let streams = pass.streams.iter().filter_map(|(name, stream)| {
            let number = self.stream(*stream)?;
            Some((name.to_string(), number))
        });
        let streams = streams.collect();
        let constants = pass.constants.iter();
        let constants = constants.map(|(name, value)| (name.to_string(), self.blob.put(value)));
        let event = Pass {
            kernel,
            target,
            streams,
            constants: constants.collect(),
            extent: self.extent(pass.extent),
            feedback: pass.run.feedback,
            cost: self.cost(kernel, pass, switches),
            part: corners(drawn.part),
            hash: format!("{:016x}", hash(format, &data)),
            peak: self.blob.put(&peak),
            sampled: self.blob.put(&samples),
        };
        self.trace.events.push(Event::Pass(event));
        self.last = Some(Last {
            stream: target,
            size: [drawn.part.width, drawn.part.height],
            data,
        });
        Ok(())
    }

    fn free(&mut self, stream: &dyn Surface) -> Result<(), FilmError> {
        let Some(number) = self.streams.remove(&stream.number()) else {
            return Ok(());
        };
        self.texture_bytes -= bytes(stream);
        self.trace.events.push(Event::Free { stream: number });
        if let Some(last) = self.last.as_mut().filter(|last| last.stream == number) {
            last.size = stream.size().into();
            last.data = stream.peek()?;
        }
        Ok(())
    }

    fn kernel(&mut self, pass: Drawing<'_>) -> usize {
        let text = pass.kernel.text();
        if let Some((number, _)) = self.kernels.get(&Rc::as_ptr(text)) {
            return *number;
        }
        let counted = count(&text.fragment).ok();
        let (caption, section) = caption(&text.fragment);
        let kernel = Kernel {
            name: pass.kernel.name().into(),
            vertex: self.text(&text.vertex),
            fragment: self.text(&text.fragment),
            points: pass.kernel.is_for_points(),
            caption,
            section,
            instructions: counted.as_ref().map(|count| count.instructions),
            fetches: counted.as_ref().map(|count| count.fetches),
        };
        let number = self.trace.kernels.len();
        self.trace.kernels.push(kernel);
        let known = (number, Rc::clone(text));
        self.kernels.insert(Rc::as_ptr(text), known);
        number
    }

    fn text(&mut self, text: &str) -> usize {
        let texts = &mut self.trace.texts;
        *self.texts.entry(text.to_owned()).or_insert_with(|| {
            texts.push(text.to_owned());
            texts.len() - 1
        })
    }

    fn extent(&mut self, extent: Extent<'_>) -> usize {
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
                Some(self.blob.put(&corners))
            }
        };
        let number = self.trace.extents.len();
        self.trace.extents.push(trace::Extent {
            vertices: self.blob.put(&extent.vertices()),
            rectangles,
            moved,
        });
        self.extents.insert((place, moved), (number, held));
        number
    }

    fn cost(&mut self, kernel: usize, pass: Drawing<'_>, switches: Switches) -> usize {
        let costs = &mut self.trace.costs;
        let number = self.costs.entry((kernel, *pass.run, switches));
        *number.or_insert_with(|| {
            costs.push(cost(pass, switches));
            costs.len() - 1
        })
    }

    /// A texture, every so many texels of a large one.
    fn still(&mut self, last: &Last) -> Still {
        let Last { stream, size, .. } = *last;
        let channels = self.trace.streams[stream].channels;
        let step = size[0].max(size[1]).div_ceil(STILL).max(1);
        let at = |x: u32, y: u32| (y as usize * size[0] as usize + x as usize) * channels;
        let rows = (0..size[1]).step_by(step as usize);
        let texels = rows.flat_map(|y| (0..size[0]).step_by(step as usize).map(move |x| (x, y)));
        let values: Vec<f32> = texels
            .flat_map(|(x, y)| &last.data[at(x, y)..][..channels])
            .copied()
            .collect();
        Still {
            stream,
            size: size.map(|side| side.div_ceil(step)),
            values: self.blob.put(&values),
        }
    }
}

/// What a pass cost; a program that cannot be counted costs what one without instructions does.
fn cost(pass: Drawing<'_>, switches: Switches) -> Cost {
    let count = count(&pass.kernel.text().fragment).unwrap_or_default();
    let run = pass.run;
    let switch = f64::from(u8::from(switches.target));
    Cost {
        fragments: run.fragments,
        tuples: run.tuples,
        fetches: count.fetches_of(run.fragments, run.iterations).sum(),
        bytes_read: bytes_read(run, &count),
        bytes_written: run.bytes_written,
        target_switches: switches.target.into(),
        buffer_switches: switches.buffer.into(),
        context_switches: switches.context.into(),
        program_switches: switches.program.into(),
        seconds: CARDS.map(|card| card.run_seconds(run, &count)).into(),
        switching: CARDS.map(|card| switch * card.driver.switch).into(),
    }
}

fn corners(part: Rect) -> [u32; 4] {
    [part.x, part.y, part.width, part.height]
}

fn bytes(stream: &dyn Surface) -> u64 {
    let (width, height) = stream.size();
    u64::from(width) * u64::from(height) * stream.format().bytes() as u64
}

/// The recorder's eye.
struct Writer(Rc<RefCell<State>>);

impl Writer {
    /// Writes something down, unless an earlier thing could not be.
    fn write(&self, what: impl FnOnce(&mut State) -> Result<(), FilmError>) {
        let mut state = self.0.borrow_mut();
        if state.failure.is_none()
            && let Err(failure) = what(&mut state)
        {
            state.failure = Some(failure);
        }
    }

    fn event(&self, event: impl FnOnce(&State) -> Option<Event>) {
        self.write(|state| {
            let event = event(state);
            state.trace.events.extend(event);
            Ok(())
        });
    }
}

impl Observer for Writer {
    fn is_there_from_the_start(&self) -> bool {
        true
    }

    fn made(&self, stream: &dyn Surface) {
        self.write(|state| state.make(stream));
    }

    fn freed(&self, stream: &dyn Surface) {
        self.write(|state| state.free(stream));
    }

    fn written(&self, stream: &dyn Surface, part: Rect, data: &[f32]) {
        self.write(|state| {
            state.upload(stream, part, data);
            Ok(())
        });
    }

    fn filled(&self, stream: &dyn Surface, value: [f32; 4]) {
        self.write(|state| {
            if let Some(stream) = state.stream(stream) {
                let value = state.blob.put(&value);
                state.trace.events.push(Event::Fill { stream, value });
            }
            Ok(())
        });
    }

    fn read(&self, stream: &dyn Surface, part: Rect, switches_context: bool) {
        self.event(|state| {
            Some(Event::Read {
                stream: state.stream(stream)?,
                rectangle: corners(part),
                context_switches: switches_context.into(),
            })
        });
    }

    fn placed(&self, bytes: u64) {
        self.event(|_| Some(Event::Geometry { bytes }));
    }

    fn after(&self, pass: Drawing<'_>, switches: Switches) {
        self.write(|state| state.pass(pass, switches));
    }

    fn counted(&self, survivors: u32) {
        self.event(|_| Some(Event::Count { survivors }));
    }

    fn drawn_outside(&self, stream: &dyn Surface) {
        self.write(|state| state.outside(stream));
    }

    fn scene(&self, title: &str) {
        self.event(|_| {
            let title = title.into();
            Some(Event::Scene { title })
        });
    }
}
