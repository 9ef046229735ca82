//! Layouts side by side: one matrix, one grid or one vector, uploaded several times and run in random order, with counts,
//! times and pictures.
//!
//! Counts come from the machine's ledger, times from [`heats`](crate::timing::heats), seconds of the cards from
//! their [`calibrated`](crate::card::cost::calibrated) model, bytes moved from a texture cache over the fetches of the
//! product ([`traffic`](crate::card::traffic)).

pub mod answer;
#[cfg(feature = "plot")]
pub mod families;
pub mod grids;
#[cfg(feature = "plot")]
pub mod picture;
pub mod products;
pub mod table;
pub mod vectors;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::base::error::BoxedError;
use crate::base::error::{ErrorKind, WithKind};
use crate::card::cache::Shape;
use crate::card::cost::{CARDS, bill};
use crate::card::traffic::Traffic;
use crate::program::interpret::Order;
use crate::solver::Csr;
use crate::stream::{Ledger, Machine};
use crate::timing::cost::ledger;
use crate::timing::rig::samples;
use crate::timing::{Effort, Heats, Interval, Origin, Work, median, with_ceiling};

use super::textures::{Texture, VERTEX_BYTES};

/// Memory of a layout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Memory {
    /// Textures other than vectors, those of one size and format together: `5 of 31x31 R32F, 64x70 R32F`.
    pub textures: String,
    /// All bytes: those of textures, of vertices, or of arrays in main memory.
    pub bytes: u64,
    /// Largest side of a texture on a card of 2003, which allowed 2048.
    pub side: u64,
    /// Fraction of the positions for entries that have none.
    pub padding: Option<f64>,
}

impl Memory {
    /// The memory of these textures.
    pub fn of(textures: &[Texture], bytes: u64, padding: Option<f64>) -> Self {
        let mut counts: BTreeMap<(u64, u64, String), usize> = BTreeMap::new();
        for texture in textures {
            let key = (texture.width, texture.height, texture.format.to_string());
            *counts.entry(key).or_default() += 1;
        }
        let each = counts.into_iter().map(|((width, height, format), count)| {
            let one = format!("{width}x{height} {format}");
            if count > 1 { format!("{count} of {one}") } else { one }
        });
        let sides = textures.iter().map(|texture| texture.width.max(texture.height));
        let side = sides.max().unwrap_or_default();
        Self { textures: each.collect::<Vec<_>>().join(", "), bytes, side, padding }
    }
}

/// Work and time of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Run {
    /// Programs.
    pub programs: usize,
    /// Passes.
    pub passes: u64,
    /// Fragments of all passes.
    pub fragments: u64,
    /// Texture fetches of all fragments.
    pub fetches: u64,
    /// Target switches.
    pub target_switches: u64,
    /// Target switches that also change the buffer.
    pub buffer_switches: u64,
    /// Seconds: the mean over uploads of the medians of their rounds.
    pub seconds: f64,
    /// Lower end of the interval that contains the mean with a confidence of 95 %.
    pub seconds_low: f64,
    /// Its upper end.
    pub seconds_high: f64,
    /// Seconds relative to those of the fastest layout in the same rounds; `None` if it was not run together with that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_fastest: Option<Interval>,
    /// Seconds of each round, upload by upload.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Vec<f64>>,
    /// Bytes fetched and written per second, without caches.
    pub bytes_per_second: f64,
    /// Speed as a fraction of a trivial program's with the same fetches, in the same run.
    pub of_ceiling: Option<f64>,
    /// Distance of the result from double precision.
    pub error: Option<f64>,
    /// Seconds on each of [`CARDS`] by its calibrated model; `None` for the CPU, and if no card of 2003 could
    /// run it.
    #[serde(
        serialize_with = "by_card",
        deserialize_with = "of_cards",
        skip_serializing_if = "Option::is_none"
    )]
    pub cards: Option<[f64; CARDS.len()]>,
    /// True if some fetches are at positions read from a texture, to which the cards' model was not fitted.
    pub is_scattered: bool,
    /// Bytes that a card of 2003 moves through texture caches of [`CACHES`] KB, batch by batch, and as vertices; `None` for solves, if no
    /// such card could run it, and for more than 2²⁴ fetches.
    #[serde(
        serialize_with = "by_cache",
        deserialize_with = "of_caches",
        skip_serializing_if = "Option::is_none"
    )]
    pub bytes_moved: Option<Vec<u64>>,
    /// True if it was stopped early, because a run takes [`TOO_SLOW`] times as long as the fastest layout's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_stopped: bool,
}

fn by_card<S: Serializer>(
    seconds: &Option<[f64; CARDS.len()]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let names = CARDS.iter().map(|card| card.device.name);
    serializer.collect_map(names.zip(seconds.iter().flatten()))
}

fn by_cache<S: Serializer>(bytes: &Option<Vec<u64>>, serializer: S) -> Result<S::Ok, S::Error> {
    let names = CACHES.map(|kb| format!("{kb} KB"));
    serializer.collect_map(names.into_iter().zip(bytes.iter().flatten()))
}

fn of_cards<'d, D: Deserializer<'d>>(cards: D) -> Result<Option<[f64; CARDS.len()]>, D::Error> {
    let seconds = BTreeMap::<String, f64>::deserialize(cards)?;
    let of_all: Option<Vec<f64>> =
        CARDS.iter().map(|card| seconds.get(card.device.name).copied()).collect();
    Ok(of_all.and_then(|of_all| of_all.try_into().ok()))
}

fn of_caches<'d, D: Deserializer<'d>>(caches: D) -> Result<Option<Vec<u64>>, D::Error> {
    let bytes = BTreeMap::<String, u64>::deserialize(caches)?;
    Ok(CACHES.iter().map(|kb| bytes.get(&format!("{kb} KB")).copied()).collect())
}

/// Sizes of texture caches in KB: from the smallest plausible one of 2003 to the largest.
pub const CACHES: [u32; 3] = [2, 8, 16];
/// Largest number of fetches of a run that is traced.
const MOST_TRACED: u64 = 1 << 24;
/// A layout is stopped after two rounds if each of them takes this number of times as long as the fastest layout.
pub const TOO_SLOW: f64 = 20.0;

/// A layout with its result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Line {
    /// Name of the layout.
    pub layout: String,
    /// Paper and section.
    pub from: String,
    /// Memory, also of a layout that was not run.
    pub memory: Memory,
    /// Reason why it was not run, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The bytes of its textures relative to those that the fastest product fetches, if it was not run for that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// Iterations of a solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<usize>,
    /// A run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

impl Line {
    /// A line with only a name and a source.
    pub fn new(layout: &str, from: &str) -> Self {
        Self { layout: layout.to_owned(), from: from.to_owned(), ..Self::default() }
    }

    /// Tests whether it is a program of the CPU.
    pub fn is_cpu(&self) -> bool {
        self.from == "CPU"
    }
}

/// Layouts with the same work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// Matrix, grid or vector.
    pub title: String,
    /// Name of the run, such as `product`.
    pub run: String,
    /// Bytes of the data that a run has to read at least once: entries in single precision, and one vector.
    pub useful_bytes: u64,
    /// Features of a matrix in one line, or an empty text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub features: String,
    /// Seconds of a program relative to those of its twin, compiled and allocated apart, in the same rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twins: Option<Interval>,
    /// Machine and program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// One line per layout.
    #[serde(rename = "layouts")]
    pub lines: Vec<Line>,
}

impl Section {
    /// A section without features.
    pub fn new(title: String, run: &str, useful_bytes: usize, raced: Raced) -> Self {
        let (run, useful_bytes) = (run.to_owned(), useful_bytes as u64);
        let Raced { lines, twins } = raced;
        Self { title, run, useful_bytes, lines, twins, ..Self::default() }
    }

    /// Products with a matrix.
    pub fn of_products(title: String, matrix: &Csr<f64>, raced: Raced) -> Self {
        Self::new(title, "product", 4 * (matrix.entries() + matrix.columns()), raced)
    }
}

/// A participant of a comparison.
pub struct Entrant<'a> {
    /// Its line, so far.
    pub line: Line,
    /// Work that is timed; `None` if it was refused.
    pub work: Option<Work<'a>>,
    /// The work with trivial programs.
    pub ceiling: Option<Work<'a>>,
    /// Distance of its result from double precision.
    pub error: Option<f64>,
    /// True if a card of 2003 could have run it.
    pub is_of_2003: bool,
    /// Bytes that a run moves, for works without a ledger: on the CPU.
    pub bytes_moved: Option<u64>,
}

impl<'a> Entrant<'a> {
    /// A line without work.
    pub fn of(line: Line) -> Self {
        Self { line, work: None, ceiling: None, error: None, is_of_2003: false, bytes_moved: None }
    }

    /// A work on the machine with its ceiling.
    pub fn on_machine(machine: &Machine, line: Line, work: Work<'a>) -> Self {
        let [work, ceiling] = with_ceiling(machine, work);
        Self { work: Some(work), ceiling: Some(ceiling), is_of_2003: true, ..Self::of(line) }
    }

    /// Returns what was made, or only the line with the reason if the driver lacks a feature.
    pub fn or_refused(line: Line, made: Result<Self, BoxedError>) -> Result<Self, BoxedError> {
        match made {
            Err(error) if error.error_kind() == ErrorKind::Lacking => {
                Ok(Self::of(Line { refused: Some(error.to_string()), ..line }))
            }
            made => made,
        }
    }

    /// A CPU program, with the bytes that it uses and those that it moves, and the distance of its result from
    /// double precision, if known.
    pub fn on_cpu(name: &str, bytes: u64, moved: u64, error: Option<f64>, work: Work<'a>) -> Self {
        let memory = Memory { bytes, ..Memory::default() };
        let line = Line { memory, ..Line::new(name, "CPU") };
        Self { work: Some(work), error, bytes_moved: Some(moved), ..Self::of(line) }
    }
}

/// Number of uploads.
const UPLOADS: usize = 4;
/// Most rounds of a layout alone, next to its ceiling.
const ALONE: usize = 3;

/// Lines of layouts, and the ratio of twins in the same rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Raced {
    /// One line per layout.
    pub lines: Vec<Line>,
    /// Seconds of a program relative to those of its twin; `None` if nothing was raced.
    pub twins: Option<Interval>,
}

/// A race of layouts, which are uploaded several times.
pub struct Race<'m> {
    machine: &'m Machine,
    effort: Effort,
    lines: Vec<Line>,
    heats: Heats,
}

impl<'m> Race<'m> {
    /// A race with this number of rounds after each upload.
    pub fn new(machine: &'m Machine, effort: Effort) -> Self {
        Self { machine, effort, lines: Vec::new(), heats: Heats::with_twins() }
    }

    /// Tests whether another upload is to be run.
    pub fn is_open(&self) -> bool {
        self.heats.count() < self.effort.rounds.clamp(1, UPLOADS)
    }

    /// Runs participants after an upload of all of them. At the first one, those without a run are counted.
    pub fn run(&mut self, mut entrants: Vec<Entrant<'_>>) -> Result<(), BoxedError> {
        if self.lines.is_empty() {
            for entrant in &mut entrants {
                alone(self.machine, self.effort, entrant)?;
            }
            self.lines = entrants.iter().map(|entrant| entrant.line.clone()).collect();
        }
        let works =
            entrants.into_iter().filter_map(|entrant| Some((entrant.line.layout, entrant.work?)));
        self.heats.run(self.machine, self.effort, works)
    }

    /// The lines with their times.
    pub fn raced(self) -> Raced {
        let Self { mut lines, heats, .. } = self;
        let seconds = |line: &Line| line.run.as_ref().map(|_| heats.seconds(&line.layout));
        let textures = || {
            let textures = lines.iter().filter(|line| !line.is_cpu());
            textures.filter_map(|line| Some((seconds(line)?.median, line)))
        };
        let others = textures().count().saturating_sub(1);
        let first = textures().min_by(|a, b| a.0.total_cmp(&b.0));
        let first = first.map(|(_, line)| line.layout.clone());
        for Line { layout, run, .. } in &mut lines {
            let Some(run) = run else { continue };
            let Interval { median, low, high, .. } = heats.seconds(layout);
            run.bytes_per_second *= run.seconds / median;
            (run.seconds, run.seconds_low, run.seconds_high) = (median, low, high);
            run.of_fastest = first.as_ref().map(|first| heats.ratio(layout, first, others));
            run.times = heats.times(layout);
        }
        Raced { lines, twins: Some(heats.twins()) }
    }
}

/// Counts the work of a participant, and times it next to its ceiling, unless it has a run.
pub(super) fn alone(
    machine: &Machine,
    effort: Effort,
    entrant: &mut Entrant<'_>,
) -> Result<(), BoxedError> {
    let Some(mut work) = entrant.work.take() else { return Ok(()) };
    if entrant.line.run.is_none() {
        let done = ledger(machine, &mut work)?;
        let mut run = run(&done, entrant);
        let is_traced = entrant.line.iterations.is_none() && run.cards.is_some();
        if is_traced && run.fetches <= MOST_TRACED {
            run.bytes_moved = moved(machine, &mut work)?;
        }
        let bytes = entrant.bytes_moved.unwrap_or_else(|| bill(&done).total().done.bytes());
        // A program that cannot be counted has no trivial substitute, nor has one whose substitute is too long.
        let mut ceiling = entrant.ceiling.take().filter(|_| run.cards.is_some());
        if ceiling.as_mut().is_some_and(|ceiling| ceiling(0).is_err()) {
            ceiling = None;
        }
        let mut works: Vec<Work<'_>> = [work].into_iter().chain(ceiling).collect();
        let effort = Effort { rounds: effort.rounds.min(ALONE), ..effort };
        let samples = samples(machine, effort, &mut works)?;
        let Interval { median: seconds, low, high, .. } = Interval::of(samples[0].clone());
        (run.seconds, run.seconds_low, run.seconds_high) = (seconds, low, high);
        run.bytes_per_second = bytes as f64 / seconds;
        run.of_ceiling = samples.get(1).map(|ceiling| median(ceiling.clone()) / seconds);
        run.times = vec![samples[0].clone()];
        entrant.line.run = Some(run);
        work = works.swap_remove(0);
    }
    entrant.work = Some(work);
    Ok(())
}

/// Bytes that a run moves through each of [`CACHES`], and as vertices.
fn moved(machine: &Machine, work: &mut Work<'_>) -> Result<Option<Vec<u64>>, BoxedError> {
    let shapes = CACHES.map(Shape::of_kb).to_vec();
    let traffic = Traffic::of(machine, shapes, Order::Batches, || work(1))?;
    let vertices = traffic.vertices() * VERTEX_BYTES;
    let moved = || traffic.bytes_moved().into_iter().map(|bytes| bytes + vertices).collect();
    Ok(traffic.untraced().is_empty().then(moved))
}

/// Work and time of one run.
fn run(done: &Ledger, entrant: &Entrant<'_>) -> Run {
    let bill = bill(done);
    let total = bill.total();
    let cards = bill.cards.map(|card| card.passes + card.switching);
    let is_counted = entrant.is_of_2003 && bill.uncounted.is_empty();
    Run {
        programs: done.kernels.len(),
        passes: total.done.passes,
        fragments: total.done.fragments,
        fetches: total.done.fetches,
        target_switches: done.target_switches,
        buffer_switches: done.buffer_switches,
        error: entrant.error,
        cards: is_counted.then_some(cards),
        is_scattered: bill.is_scattered,
        ..Run::default()
    }
}
