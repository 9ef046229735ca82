//! Layouts side by side: one matrix, one grid or one vector, run alternately, with counts, times and
//! pictures.
//!
//! | file | holds |
//! |---|---|
//! | [`products`] | one matrix in every layout: its product |
//! | [`solves`](mod@solves) | the same: a whole solve |
//! | [`grids`] | layouts of grids, for stencils and V-cycles |
//! | [`vectors`] | layouts of vectors, and how they are summed |
//! | `families` | kinds of matrices of a thousand to a million rows |
//! | [`answer`] | the last line: the fastest layout |
//! | [`table`](mod@table) | the lines as text and as comma-separated values |
//! | `picture` | how they lie in memory |
//!
//! Counts come from the machine's ledger, times from [`timing`](crate::timing), seconds of the cards from
//! their [`calibrated`](crate::card::cost::calibrated) model.

pub mod answer;
#[cfg(feature = "plot")]
pub mod families;
pub mod grids;
#[cfg(feature = "plot")]
pub mod picture;
pub mod products;
pub mod solves;
pub mod table;
pub mod vectors;

use serde::Serialize;

use crate::card::cost::{CARDS, bill};
use crate::stream::{LACKING, Ledger, Machine};
use crate::timing::cost::ledger;
use crate::timing::rig::{interval_of_median, samples};
use crate::timing::{Effort, TimingError, Work, median, with_ceiling};

use super::textures::Texture;

/// How something lies in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// Its textures, but for vectors.
    pub textures: Vec<Texture>,
    /// All bytes: those of textures, of vertices, or of arrays in main memory.
    pub bytes: u64,
    /// The part of the places for entries that holds none.
    pub padding: Option<f64>,
}

/// What one run makes the machine do, and how long it takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Run {
    /// Programs.
    pub programs: usize,
    /// Passes.
    pub passes: u64,
    /// Fragments of all passes.
    pub fragments: u64,
    /// Texture fetches of all fragments.
    pub fetches: u64,
    /// Changes of what is rendered to.
    pub target_switches: u64,
    /// Of these, changes of the buffer that it belongs to.
    pub buffer_switches: u64,
    /// Median seconds.
    pub seconds: f64,
    /// Interval that contains the median with a confidence of 95 %, in seconds.
    pub interval: [f64; 2],
    /// Bytes fetched and written a second, caches not considered.
    pub bytes_a_second: f64,
    /// The part of the speed of a trivial program with the same fetches, in the same run.
    pub of_ceiling: Option<f64>,
    /// How far the result is from double precision.
    pub error: Option<f64>,
    /// Seconds of each of [`CARDS`] by its calibrated model; none for what no card of 2003 could run, and
    /// for the CPU.
    pub cards: Option<[f64; CARDS.len()]>,
    /// Set if some of its fetches are at positions read from a texture: the cards' model was not fitted to those.
    pub is_scattered: bool,
}

/// A layout, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Line {
    /// The layout's name.
    pub layout: String,
    /// The paper and the section that has it.
    pub from: String,
    /// How it lies in memory, or would.
    pub memory: Memory,
    /// Why it was not run, if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Of a solve, its iterations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<usize>,
    /// A run of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<Run>,
}

/// Layouts that do the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Section {
    /// What is laid out.
    pub title: String,
    /// What is run, as in `product`.
    pub run: String,
    /// A line a layout.
    #[serde(rename = "layouts")]
    pub lines: Vec<Line>,
}

/// What takes part.
pub struct Entrant<'a> {
    /// Its line, so far.
    pub line: Line,
    /// What is run; nothing for one that was refused.
    pub work: Option<Work<'a>>,
    /// The same with trivial programs.
    pub ceiling: Option<Work<'a>>,
    /// How far its result is from double precision.
    pub error: Option<f64>,
    /// Whether a card of 2003 could have run it.
    pub is_of_2003: bool,
    /// Bytes that a run moves, where the ledger does not know: on the CPU.
    pub bytes_moved: Option<u64>,
}

impl<'a> Entrant<'a> {
    /// A line alone: one that does not take part.
    pub fn of(line: Line) -> Self {
        Self {
            line,
            work: None,
            ceiling: None,
            error: None,
            is_of_2003: false,
            bytes_moved: None,
        }
    }

    /// A work on the machine next to its ceiling.
    pub fn on_machine(machine: &Machine, line: Line, work: Work<'a>) -> Self {
        let [work, ceiling] = with_ceiling(machine, work);
        Self {
            work: Some(work),
            ceiling: Some(ceiling),
            is_of_2003: true,
            ..Self::of(line)
        }
    }

    /// What was made; or the line alone, with the reason, where the driver lacks what its programs need.
    ///
    /// # Errors
    /// Any other.
    pub fn or_refused(line: Line, made: Result<Self, TimingError>) -> Result<Self, TimingError> {
        match made {
            Err(error) if error.to_string().contains(LACKING) => Ok(Self::of(Line {
                refused: Some(error.to_string()),
                ..line
            })),
            made => made,
        }
    }

    /// A program for the CPU: the bytes that it works on and those that it moves, and the distance of its
    /// result from double precision, if that is known.
    pub fn on_cpu(name: &str, bytes: u64, moved: u64, error: Option<f64>, work: Work<'a>) -> Self {
        let line = Line {
            layout: name.to_owned(),
            from: "CPU".to_owned(),
            memory: Memory {
                bytes,
                ..Memory::default()
            },
            ..Line::default()
        };
        Self {
            work: Some(work),
            error,
            bytes_moved: Some(moved),
            ..Self::of(line)
        }
    }
}

/// Runs all of them alternately, and gives their lines.
///
/// # Errors
/// Those of the works.
pub fn race(
    machine: &Machine,
    effort: Effort,
    entrants: Vec<Entrant<'_>>,
) -> Result<Vec<Line>, TimingError> {
    let (mut lines, mut works, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for mut entrant in entrants {
        if let Some(mut work) = entrant.work.take() {
            let done = ledger(machine, &mut work)?;
            let run = run(&done, &entrant);
            let moved = entrant.bytes_moved;
            let bytes = moved.unwrap_or_else(|| bill(&done).total().bytes());
            let own = works.len();
            works.push(work);
            // A program that cannot be counted has no trivial one.
            let ceiling = entrant.ceiling.take().filter(|_| run.cards.is_some());
            let has_ceiling = ceiling.is_some();
            works.extend(ceiling);
            runs.push((lines.len(), run, bytes, own, has_ceiling));
        }
        lines.push(entrant.line);
    }
    let samples = samples(machine, effort, &mut works)?;
    let seconds = |place: usize| median(samples[place].clone());
    for (line, mut run, bytes, own, has_ceiling) in runs {
        run.seconds = seconds(own);
        run.interval = interval_of_median(samples[own].clone());
        run.bytes_a_second = bytes as f64 / run.seconds;
        run.of_ceiling = has_ceiling.then(|| seconds(own + 1) / run.seconds);
        lines[line].run = Some(run);
    }
    Ok(lines)
}

/// What one run does.
fn run(done: &Ledger, entrant: &Entrant<'_>) -> Run {
    let bill = bill(done);
    let total = bill.total();
    let cards = bill.cards.map(|card| card.passes + card.switching);
    let is_counted = entrant.is_of_2003 && bill.uncounted.is_empty();
    Run {
        programs: done.kernels.len(),
        passes: total.done.passes,
        fragments: total.done.fragments,
        fetches: total.fetches,
        target_switches: done.target_switches,
        buffer_switches: done.buffer_switches,
        error: entrant.error,
        cards: is_counted.then_some(cards),
        is_scattered: bill.is_scattered,
        ..Run::default()
    }
}
