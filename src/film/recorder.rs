//! The recorder: makes a film of all that a machine does.

use std::cell::RefCell;
use std::mem;
use std::rc::Rc;

use crate::card::cost::CARDS;
use crate::stream::{Drawing, Machine, Observation, Observer, Rect, Stream, Switches};

use super::blob::Blob;
use super::container::Film;
use super::error::{FilmError, PASSES};
use super::numbers::{Numbers, corners};
use super::trace::{Card, Event, Made, Pass, Still, Trace, VERSION};

/// Maximum width and height, in texels, of the picture of the last target, for browsers that cannot draw it.
const STILL: u32 = 128;

/// The subject of a film.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Name of the scene, or of the command.
    pub name: String,
    /// Title.
    pub title: String,
    /// The paper's name, or an empty string.
    pub paper: String,
    /// The paper's section, or an empty string.
    pub section: String,
    /// Index of the scene that is shown first; those before it are preparations.
    pub opens: usize,
    /// The command that makes the film.
    pub command: String,
}

/// Observes a machine, and makes a film of what it does.
///
/// After each pass, the texels that it has drawn are read back, which the ledger does not count. The film keeps their
/// hash, their peaks and a few of them. If a limit is reached, the film ends and the run continues.
pub struct Recorder {
    state: Rc<RefCell<State>>,
    observation: Observation,
}

/// Called if the film ends before its recorder.
type OnEnd = Box<dyn Fn(&FilmError)>;

/// The film so far.
struct State {
    trace: Trace,
    blob: Blob,
    numbers: Numbers,
    passes: usize,
    last: Option<Last>,
    /// The limit at which recording ended.
    end: Option<FilmError>,
    on_end: OnEnd,
}

/// Result of the last pass: the part of its target that it drew, or the whole target if it has been freed since.
struct Last {
    stream: usize,
    size: [u32; 2],
    data: Vec<f32>,
}

impl Recorder {
    /// Begins recording for a page of at most `page_bytes` bytes. `on_end` is called once if the film ends before the
    /// recorder does.
    ///
    /// # Errors
    /// If the machine already has streams.
    pub fn start(
        machine: &Machine,
        about: About,
        page_bytes: usize,
        on_end: impl Fn(&FilmError) + 'static,
    ) -> Result<Self, FilmError> {
        Self::new(machine, about, page_bytes, (false, Box::new(on_end)))
    }

    /// As [`Self::start`], on a machine that already has streams: the film begins with their present contents.
    pub fn join(
        machine: &Machine,
        about: About,
        page_bytes: usize,
        on_end: impl Fn(&FilmError) + 'static,
    ) -> Result<Self, FilmError> {
        Self::new(machine, about, page_bytes, (true, Box::new(on_end)))
    }

    fn new(
        machine: &Machine,
        about: About,
        page_bytes: usize,
        (is_late, on_end): (bool, OnEnd),
    ) -> Result<Self, FilmError> {
        let description = machine.description();
        let cards = CARDS
            .map(|card| Card { card: card.device.name.into(), driver: card.driver.name.into() });
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
        let state = Rc::new(RefCell::new(State {
            trace,
            blob: Blob::new(page_bytes),
            numbers: Numbers::default(),
            passes: 0,
            last: None,
            end: None,
            on_end,
        }));
        let observer = Rc::new(Writer { state: Rc::clone(&state), is_late });
        Ok(Self { observation: machine.observe(observer)?, state })
    }

    /// Returns the number of passes recorded so far.
    pub fn passes(&self) -> usize {
        self.state.borrow().passes
    }

    /// Ends recording.
    ///
    /// # Errors
    /// If no pass was recorded.
    pub fn finish(self) -> Result<Film, FilmError> {
        self.end(true)
    }

    /// Ends recording, with or without a picture of the last target.
    pub(super) fn end(self, with_still: bool) -> Result<Film, FilmError> {
        drop(self.observation);
        let mut state = self.state.borrow_mut();
        let Some(last) = state.last.take() else {
            let empty = FilmError::Empty(mem::take(&mut state.trace.name));
            return Err(state.end.take().unwrap_or(empty));
        };
        // A film that ended because it was full has no room for a picture.
        state.trace.still = with_still.then(|| state.still(&last).ok()).flatten();
        let blob = mem::replace(&mut state.blob, Blob::new(0));
        Ok(Film { trace: mem::take(&mut state.trace), packed: blob.finish()? })
    }
}

impl State {
    fn make(&mut self, stream: &Stream) -> usize {
        let stream = self.numbers.make(stream, &mut self.trace);
        self.tell(Event::Make { stream });
        stream
    }

    /// Records a stream from before the film, with its contents.
    fn meet(&mut self, surface: &Stream) -> Result<(), FilmError> {
        if self.numbers.stream(surface).is_none() {
            let (width, height) = surface.size();
            let data = self.blob.put(&surface.read_back()?)?;
            let stream = self.make(surface);
            self.tell(Event::Upload { stream, rectangle: [0, 0, width, height], data });
        }
        Ok(())
    }

    fn free(&mut self, stream: &Stream) -> Result<(), FilmError> {
        let Some(number) = self.numbers.free(stream) else {
            return Ok(());
        };
        self.tell(Event::Free { stream: number });
        if let Some(last) = self.last.as_mut().filter(|last| last.stream == number) {
            last.size = stream.size().into();
            last.data = stream.read_back()?;
        }
        Ok(())
    }

    fn pass(&mut self, pass: Drawing<'_>, switches: Switches) -> Result<(), FilmError> {
        if self.passes >= PASSES {
            return Err(FilmError::Passes);
        }
        let State { numbers, trace, blob, .. } = self;
        let Some(call) = numbers.call(pass, switches, trace, blob)? else {
            return Ok(());
        };
        let drawn = numbers.drawn(call);
        let data = match drawn.part.area() {
            0 => Vec::new(),
            _ => pass.target.read_back_part(drawn.part)?,
        };
        let constants = pass.constants.iter().flat_map(|(_, value)| value.numbers());
        let words = constants.map(|value| value.to_bits());
        let words = words.chain(drawn.words(pass.target.format(), &data));
        let values = blob.put_words(&words.collect::<Vec<_>>())?;
        self.last = Some(Last {
            stream: trace.calls[call].target,
            size: [drawn.part.width, drawn.part.height],
            data,
        });
        self.passes += 1;
        self.tell(Event::Pass(Pass { call, values }));
        Ok(())
    }

    fn tell(&mut self, event: Event) {
        self.trace.events.push(event);
    }

    /// Returns the texels of a texture; of a large one, every nth texel only.
    fn still(&mut self, Last { stream, size, data }: &Last) -> Result<Still, FilmError> {
        let channels = self.trace.streams[*stream].channels;
        let step = size[0].max(size[1]).div_ceil(STILL).max(1);
        let at = |x: u32, y: u32| (y as usize * size[0] as usize + x as usize) * channels;
        let rows = (0..size[1]).step_by(step as usize);
        let texels = rows.flat_map(|y| (0..size[0]).step_by(step as usize).map(move |x| (x, y)));
        let values: Vec<f32> =
            texels.flat_map(|(x, y)| &data[at(x, y)..][..channels]).copied().collect();
        Ok(Still {
            stream: *stream,
            size: size.map(|side| side.div_ceil(step)),
            values: self.blob.put(&values)?,
        })
    }
}

/// Writes events to the film.
struct Writer {
    state: Rc<RefCell<State>>,
    /// True if the machine may have had streams before.
    is_late: bool,
}

impl Writer {
    /// Records something, unless the film has ended.
    fn write(&self, what: impl FnOnce(&mut State) -> Result<(), FilmError>) {
        let mut state = self.state.borrow_mut();
        if state.end.is_none()
            && let Err(end) = what(&mut state)
        {
            (state.on_end)(&end);
            state.end = Some(end);
        }
    }

    /// Records an event of a stream, if the stream's creation was recorded.
    fn event(
        &self,
        stream: &Stream,
        event: impl FnOnce(usize, &mut Blob) -> Result<Event, FilmError>,
    ) {
        self.write(|state| {
            if let Some(stream) = state.numbers.stream(stream) {
                let event = event(stream, &mut state.blob)?;
                state.tell(event);
            }
            Ok(())
        });
    }

    /// Records an event that does not belong to a stream.
    fn tell(&self, event: Event) {
        self.write(|state| {
            state.tell(event);
            Ok(())
        });
    }
}

impl Observer for Writer {
    fn needs_full_history(&self) -> bool {
        !self.is_late
    }

    fn made(&self, stream: &Stream) {
        self.write(|state| {
            state.make(stream);
            Ok(())
        });
    }

    fn before(&self, pass: Drawing<'_>) {
        if self.is_late {
            let inputs = pass.streams.iter().map(|(_, stream)| *stream);
            let mut streams = inputs.chain([pass.target]);
            self.write(|state| streams.try_for_each(|stream| state.meet(stream)));
        }
    }

    fn freed(&self, stream: &Stream) {
        self.write(|state| state.free(stream));
    }

    fn written(&self, stream: &Stream, part: Rect, data: &[f32]) {
        self.event(stream, |stream, blob| {
            Ok(Event::Upload { stream, rectangle: corners(part), data: blob.put(data)? })
        });
    }

    fn filled(&self, stream: &Stream, value: [f32; 4]) {
        self.event(stream, |stream, blob| {
            let value = blob.put(&value)?;
            Ok(Event::Fill { stream, value })
        });
    }

    fn read(&self, stream: &Stream, part: Rect, switches_context: bool) {
        self.event(stream, |stream, _| {
            Ok(Event::Read {
                stream,
                rectangle: corners(part),
                context_switches: switches_context.into(),
            })
        });
    }

    fn placed(&self, bytes: u64) {
        self.tell(Event::Geometry { bytes });
    }

    fn after(&self, pass: Drawing<'_>, switches: Switches) {
        self.write(|state| state.pass(pass, switches));
    }

    fn counted(&self, survivors: u32) {
        self.tell(Event::Count { survivors });
    }

    fn drawn_outside(&self, drawn: &Stream) {
        self.event(drawn, |stream, blob| {
            let data = blob.put(&drawn.read_back()?)?;
            Ok(Event::Outside { stream, data })
        });
    }

    fn scene(&self, title: &str) {
        self.tell(Event::Scene { title: title.into() });
    }
}
