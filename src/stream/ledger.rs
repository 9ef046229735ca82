//! The ledger: the work that the machine has performed. It contains only facts; `card::cost::bill` computes the
//! cost on a card.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use serde::Serialize;

use super::program::{Kernel, ProgramText, STREAMS, Source};

/// Counts of one pass. Passes of a kernel with equal counts cost the same on any card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PassCounts {
    /// Rectangles rasterised.
    pub rectangles: u64,
    /// Points rasterised.
    pub points: u64,
    /// Fragments processed.
    pub fragments: u64,
    /// Tuples of 2 x 2 pixels in which they are rasterised ([`super::Rects::tuples`]); one per point.
    pub tuples: u64,
    /// Bytes per record of each stream, in the order of [`Account::streams`]; zeros after the last.
    pub record_bytes: [u8; STREAMS],
    /// Bytes written.
    pub bytes_written: u64,
    /// Number of iterations of the program's loop, over all fragments, if its trip count is data.
    pub iterations: Option<u64>,
    /// True if the pass read its own target.
    pub feedback: bool,
}

/// The passes of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// Names of the program's streams.
    pub streams: Vec<String>,
    /// True if the driver ran the program as assembly.
    pub in_assembly: bool,
    /// Number of passes with each of these counts.
    pub runs: BTreeMap<PassCounts, u64>,
}

/// Work of passes. Sums have every field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Draw calls.
    pub passes: u64,
    /// Draw calls that read their own target.
    pub feedback: u64,
    /// Rectangles rasterised.
    pub rectangles: u64,
    /// Points rasterised.
    pub points: u64,
    /// Fragments processed.
    pub fragments: u64,
    /// Texture fetches, as a bill counts them in the programs. A loop whose trip count is data
    /// counts as often as it ran.
    pub fetches: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Bytes fetched, without caches.
    pub bytes_read: u64,
}

impl Work {
    fn with(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            passes: of(self.passes, other.passes),
            feedback: of(self.feedback, other.feedback),
            rectangles: of(self.rectangles, other.rectangles),
            points: of(self.points, other.points),
            fragments: of(self.fragments, other.fragments),
            fetches: of(self.fetches, other.fetches),
            bytes_written: of(self.bytes_written, other.bytes_written),
            bytes_read: of(self.bytes_read, other.bytes_read),
        }
    }

    /// The same work, done this number of times.
    pub fn times(self, times: u64) -> Self {
        self.with(self, |count, _| times * count)
    }

    /// Bytes fetched and rendered.
    pub fn bytes(&self) -> u64 {
        self.bytes_read + self.bytes_written
    }
}

impl std::iter::Sum for Work {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| sum.with(one, |a, b| a + b))
    }
}

impl PassCounts {
    /// The pass, without its fetches.
    pub fn work(&self) -> Work {
        Work {
            passes: 1,
            feedback: u64::from(self.feedback),
            rectangles: self.rectangles,
            points: self.points,
            fragments: self.fragments,
            bytes_written: self.bytes_written,
            ..Work::default()
        }
    }

    /// Bytes per record of a stream, by its name and those of all streams of the program.
    pub fn bytes_of(&self, stream: &str, streams: &[String]) -> u8 {
        streams.iter().position(|one| one == stream).map_or(0, |at| self.record_bytes[at])
    }
}

impl Account {
    /// All passes together, without their fetches.
    pub fn sum(&self) -> Work {
        self.runs.iter().map(|(run, &times)| run.work().times(times)).sum()
    }
}

/// Counts of all work since the ledger was last taken ([`super::Machine::take_ledger`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// Passes by program, in the order of their names.
    #[serde(skip)]
    pub kernels: BTreeMap<Rc<ProgramText>, Account>,
    /// Target switches: changes of the surface that is rendered to.
    pub target_switches: u64,
    /// Target switches that also change the buffer. The others are from one surface to another of the same
    /// buffer ([`super::Stream::surfaces`]).
    pub buffer_switches: u64,
    /// Changes of the OpenGL context ([`super::Buffer::Context`]), to render or to read back.
    pub context_switches: u64,
    /// Changes of the program.
    pub program_switches: u64,
    /// Transfers to graphics memory: textures and geometry.
    pub uploads: u64,
    /// Bytes uploaded.
    pub bytes_uploaded: u64,
    /// Transfers from graphics memory.
    pub read_backs: u64,
    /// Texels read back.
    pub texels_read_back: u64,
    /// Bytes read back.
    pub bytes_read_back: u64,
    /// Waits until all work was done ([`super::Machine::finish`]).
    pub finishes: u64,
    /// Occlusion queries.
    pub queries: u64,
    /// Pictures drawn by other means than passes.
    pub drawn_outside: u64,
    /// Bytes of all existing streams.
    pub bytes_allocated: u64,
    /// Maximum of `bytes_allocated` so far.
    pub peak_bytes_allocated: u64,
}

/// Passes that are not yet in a ledger, by the number of their kernel: comparing texts for each pass takes longer.
#[derive(Default)]
pub(super) struct Recorded(BTreeMap<u64, (Rc<ProgramText>, Account)>);

impl Recorded {
    pub(super) fn pass(&mut self, kernel: &Kernel, run: PassCounts) {
        let (_, account) = self.0.entry(kernel.number()).or_insert_with(|| {
            let account = Account {
                streams: kernel.streams().map(str::to_owned).collect(),
                in_assembly: kernel.is_in_assembly(),
                runs: BTreeMap::new(),
            };
            (Rc::clone(kernel.text()), account)
        });
        *account.runs.entry(run).or_default() += 1;
    }

    /// Moves all passes into a ledger, where kernels of one text are together.
    pub(super) fn settle(&mut self, ledger: &mut Ledger) {
        for (text, account) in std::mem::take(&mut self.0).into_values() {
            match ledger.kernels.entry(text) {
                Entry::Vacant(place) => _ = place.insert(account),
                Entry::Occupied(mut known) => {
                    for (run, times) in account.runs {
                        *known.get_mut().runs.entry(run).or_default() += times;
                    }
                }
            }
        }
    }
}

impl Ledger {
    pub(super) fn switch_target(&mut self, changes_buffer: bool) {
        self.target_switches += 1;
        self.buffer_switches += u64::from(changes_buffer);
    }

    pub(super) fn upload(&mut self, bytes: u64) {
        self.uploads += 1;
        self.bytes_uploaded += bytes;
    }

    pub(super) fn read_back(&mut self, texels: u64, bytes: u64) {
        self.read_backs += 1;
        self.texels_read_back += texels;
        self.bytes_read_back += bytes;
    }

    pub(super) fn allocate(&mut self, bytes: u64) {
        self.bytes_allocated += bytes;
        self.peak_bytes_allocated = self.peak_bytes_allocated.max(self.bytes_allocated);
    }

    pub(super) fn free(&mut self, bytes: u64) {
        self.bytes_allocated -= bytes;
    }

    /// The passes of these programs in all their variants, without switches and transfers.
    pub fn passes_of(&self, programs: &[Source]) -> Self {
        let kernels = self.kernels.iter();
        let theirs = kernels.filter(|(text, _)| programs.iter().any(|program| text.is_of(program)));
        let kernels = theirs.map(|(text, account)| (Rc::clone(text), account.clone()));
        Self { kernels: kernels.collect(), ..Self::default() }
    }
}
