//! The recorder: writes down what a machine does while it looks on.

use std::cell::RefCell;
use std::io::Write;
use std::mem;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::card::cost::CARDS;
use crate::stream::{
    Drawing, Format, Machine, Observation, Observer, Reader, Rect, Size, Surface, Switches,
};

use super::blob::{Blob, Span};
use super::container::Film;
use super::error::{FilmError, Limits};
use super::fingerprint::{Band, Drawn};
use super::numbers::{Numbers, corners};
use super::trace::{Call, Card, Event, Made, Pass, Seen, Still, Trace, VERSION};

/// Texels a side of the picture that stands for a texture where none can be drawn.
const STILL: u32 = 128;

/// Passes after which they are looked at in any case.
const UNSEEN: usize = 64;

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
    /// The scene that is shown first, counted from zero: those before it prepare.
    pub opens: usize,
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
    film: Film,
    numbers: Numbers,
    limits: Limits,
    /// Why nothing more is recorded, and who is told so at once.
    failure: Option<FilmError>,
    on_failure: fn(&FilmError),
    texels: Option<Box<dyn Write>>,
    /// What passes draw, by the numbers of extents and the sizes of targets.
    drawn: FxHashMap<Extents, Rc<Drawn>>,
    /// What reads the streams that are there, by their numbers.
    readers: FxHashMap<usize, (Reader, Format)>,
    unseen: Vec<Unseen>,
    passes: usize,
    texture_bytes: u64,
    /// What the last pass rendered to.
    target: Option<usize>,
    last: Option<Last>,
    /// Its floats, and room for more.
    data: Vec<f32>,
    /// Room for the constants of a pass.
    constants: Vec<f32>,
}

/// The number of an extent, and the size of a target.
type Extents = (usize, Size);

/// What a pass has left in a band of its target, where nobody has looked yet.
struct Unseen {
    stream: usize,
    band: Band,
    /// Where what is seen there is written down.
    values: Span,
}

/// A part of a target: what was looked at last, or all of the last one, once it is about to be freed.
struct Last {
    stream: usize,
    size: [u32; 2],
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
        let trace = Trace {
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
            opens: about.opens,
            cards: cards.into(),
            ..Trace::default()
        };
        let blob = Blob::default();
        let state = State {
            film: Film { trace, blob },
            numbers: Numbers::default(),
            limits,
            failure: None,
            on_failure: |_| (),
            texels,
            drawn: FxHashMap::default(),
            readers: FxHashMap::default(),
            unseen: Vec::new(),
            passes: 0,
            texture_bytes: 0,
            target: None,
            last: None,
            data: Vec::new(),
            constants: Vec::new(),
        };
        let state = Rc::new(RefCell::new(state));
        let observer = Rc::new(Writer(Rc::clone(&state)));
        Ok(Self {
            observation: machine.observe(observer)?,
            state,
        })
    }

    /// Whom to tell at once why there will be no film. The run goes on, and may take long.
    pub fn on_failure(&self, tell: fn(&FilmError)) {
        self.state.borrow_mut().on_failure = tell;
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
        state.look()?;
        match state.failure.take() {
            Some(failure) if !failure.is_cut() => return Err(failure),
            _ => {}
        }
        let Some(last) = state.last.take() else {
            let name = mem::take(&mut state.film.trace.name);
            return Err(FilmError::Empty(name));
        };
        let still = state.still(&last);
        state.film.trace.still = Some(still);
        let numbers = mem::take(&mut state.numbers);
        numbers.finish(&mut state.film);
        Ok(mem::take(&mut state.film))
    }
}

impl State {
    fn tell(&mut self, event: Event) {
        self.film.trace.events.push(event);
    }

    fn make(&mut self, stream: &dyn Surface) -> Result<(), FilmError> {
        let number = self.numbers.make(stream, &mut self.film);
        let reader = (stream.reader(), stream.format());
        self.readers.insert(number, reader);
        self.tell(Event::Make { stream: number });
        self.texture_bytes += bytes(stream);
        match self.texture_bytes <= self.limits.texture_bytes {
            true => Ok(()),
            false => Err(FilmError::Textures(self.limits.clone())),
        }
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
        let Some(call) = self.numbers.call(pass, switches, &mut self.film) else {
            return Ok(());
        };
        let Film { trace, blob } = &mut self.film;
        let Call {
            target,
            extent,
            constants,
            ..
        } = &trace.calls[call];
        let (target, extent, given) = (*target, *extent, pass.constants);
        self.constants.clear();
        for (place, (name, _)) in constants.iter().enumerate() {
            let is_it = |(given, _): &&(&str, &[f32])| given == name;
            // Most often they come in the same order.
            let there = given.get(place).filter(is_it);
            let one = there.or_else(|| given.iter().find(is_it));
            self.constants
                .extend(one.map_or(&[][..], |(_, value)| value));
        }
        let constants = blob.put(&self.constants);
        let seen = self.leave(pass, target, extent);
        self.tell(Event::Pass(Pass {
            call,
            constants,
            seen,
        }));
        self.target = Some(target);
        Ok(())
    }

    /// Leaves what a pass has drawn to be looked at later. The rest of its target, often most of it, is
    /// as it was.
    fn leave(&mut self, pass: Drawing<'_>, stream: usize, extent: usize) -> Seen {
        let size = pass.target.size();
        let drawn = self.drawn.entry((extent, size));
        let drawn = drawn.or_insert_with(|| Rc::new(Drawn::new(pass.extent, size)));
        let band = drawn.band(self.limits.compared, self.passes);
        let values = self.film.blob.reserve(band.words(self.limits.kept));
        let part = corners(band.part);
        self.unseen.push(Unseen {
            stream,
            band,
            values,
        });
        Seen { part, values }
    }

    /// Before something is written into a part of a stream, or somewhere in it: looks at what passes
    /// have left there, and then everywhere, for a renderer that has to finish for one look has
    /// nothing more to finish for others.
    fn overwrite(&mut self, stream: usize, part: Option<Rect>) -> Result<(), FilmError> {
        let is_there = |one: &Unseen| {
            one.stream == stream && part.is_none_or(|part| one.band.part.overlaps(part))
        };
        match self.unseen.len() >= UNSEEN || self.unseen.iter().any(is_there) {
            true => self.look(),
            false => Ok(()),
        }
    }

    /// Looks at all that passes have left.
    fn look(&mut self) -> Result<(), FilmError> {
        for Unseen {
            stream,
            band,
            values,
        } in self.unseen.drain(..)
        {
            let Some((reader, format)) = self.readers.get(&stream) else {
                continue;
            };
            let floats = band.part.area() as usize * format.channels();
            self.data.resize(floats.max(self.data.len()), 0.0);
            let data = &mut self.data[..floats];
            reader(band.part, data)?;
            band.fill(self.film.blob.room(values), *format, data);
            let size = [band.part.width, band.part.height];
            self.last = Some(Last { stream, size });
        }
        Ok(())
    }

    /// A pass is about to be drawn.
    fn before(&mut self, pass: Drawing<'_>) -> Result<(), FilmError> {
        let Some(stream) = self.numbers.stream(pass.target) else {
            return Ok(());
        };
        let drawn = self.numbers.known_extent(pass.extent);
        let drawn = drawn.and_then(|extent| self.drawn.get(&(extent, pass.target.size())));
        self.overwrite(stream, drawn.map(|drawn| drawn.around()))
    }

    fn free(&mut self, stream: &dyn Surface) -> Result<(), FilmError> {
        let Some(number) = self.numbers.free(stream) else {
            return Ok(());
        };
        self.overwrite(number, None)?;
        self.readers.remove(&number);
        self.texture_bytes -= bytes(stream);
        self.tell(Event::Free { stream: number });
        if self.target == Some(number) {
            self.last = Some(Last {
                stream: number,
                size: stream.size().into(),
            });
            self.data = stream.peek()?;
        }
        Ok(())
    }

    /// A texture, every so many texels of a large one.
    fn still(&mut self, last: &Last) -> Still {
        let Last { stream, size, .. } = *last;
        let channels = self.film.trace.streams[stream].channels;
        let step = size[0].max(size[1]).div_ceil(STILL).max(1);
        let at = |x: u32, y: u32| (y as usize * size[0] as usize + x as usize) * channels;
        let rows = (0..size[1]).step_by(step as usize);
        let texels = rows.flat_map(|y| (0..size[0]).step_by(step as usize).map(move |x| (x, y)));
        let values: Vec<f32> = texels
            .flat_map(|(x, y)| &self.data[at(x, y)..][..channels])
            .copied()
            .collect();
        Still {
            stream,
            size: size.map(|side| side.div_ceil(step)),
            values: self.film.blob.put(&values),
        }
    }
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
            // From here on nobody tells what is written over.
            let _ = state.look();
            state.readers.clear();
            if !failure.is_cut() {
                (state.on_failure)(&failure);
            }
            state.failure = Some(failure);
        }
    }

    /// Writes down what happened, if it concerns a stream that this knows.
    fn event(&self, event: impl FnOnce(&Numbers, &mut Blob) -> Option<Event>) {
        self.write(|state| {
            let event = event(&state.numbers, &mut state.film.blob);
            state.film.trace.events.extend(event);
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

    fn overwritten(&self, stream: &dyn Surface) {
        self.write(|state| {
            let number = state.numbers.stream(stream);
            number.map_or(Ok(()), |number| state.overwrite(number, None))
        });
    }

    fn written(&self, stream: &dyn Surface, part: Rect, data: &[f32]) {
        self.event(|numbers, blob| {
            Some(Event::Upload {
                stream: numbers.stream(stream)?,
                rectangle: corners(part),
                data: blob.put(data),
            })
        });
    }

    fn filled(&self, stream: &dyn Surface, value: [f32; 4]) {
        self.event(|numbers, blob| {
            Some(Event::Fill {
                stream: numbers.stream(stream)?,
                value: blob.put(&value),
            })
        });
    }

    fn read(&self, stream: &dyn Surface, part: Rect, switches_context: bool) {
        self.event(|numbers, _| {
            Some(Event::Read {
                stream: numbers.stream(stream)?,
                rectangle: corners(part),
                context_switches: switches_context.into(),
            })
        });
    }

    fn placed(&self, bytes: u64) {
        self.event(|_, _| Some(Event::Geometry { bytes }));
    }

    fn before(&self, pass: Drawing<'_>) {
        self.write(|state| state.before(pass));
    }

    fn after(&self, pass: Drawing<'_>, switches: Switches) {
        self.write(|state| state.pass(pass, switches));
    }

    fn counted(&self, survivors: u32) {
        self.event(|_, _| Some(Event::Count { survivors }));
    }

    fn drawn_outside(&self, stream: &dyn Surface) {
        self.write(|state| {
            if let Some(number) = state.numbers.stream(stream) {
                let data = state.film.blob.put(&stream.peek()?);
                state.tell(Event::Outside {
                    stream: number,
                    data,
                });
            }
            Ok(())
        });
    }

    fn scene(&self, title: &str) {
        self.event(|_, _| {
            let title = title.into();
            Some(Event::Scene { title })
        });
    }
}
