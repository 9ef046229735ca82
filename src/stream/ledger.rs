//! The ledger: what the machine was made to do. It holds facts alone; what a card would have made
//! of them is for `card::cost::bill` to say.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::program::{Kernel, ProgramText, STREAMS};

/// What one pass did. Passes of a kernel that agree in this cost the same on any card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Run {
    /// Rectangles rasterised.
    pub rectangles: u64,
    /// Points rasterised.
    pub points: u64,
    /// Fragments run.
    pub fragments: u64,
    /// Tuples of 2 x 2 pixels that they are rasterised in ([`super::Rects::tuples`]); one a point.
    pub tuples: u64,
    /// Bytes a record of each stream that is read, in the order in which the program declares them;
    /// zeros behind.
    pub record_bytes: [u8; STREAMS],
    /// Bytes rendered.
    pub bytes_written: u64,
    /// How often the program's loop ran, over all fragments, where its trip count is data.
    pub iterations: Option<u64>,
    /// True if it read its own target.
    pub feedback: bool,
}

/// The passes of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// The program.
    pub text: Rc<ProgramText>,
    /// True if the driver ran it as assembly.
    pub in_assembly: bool,
    /// What passes did, and how many of them did that.
    pub runs: BTreeMap<Run, u64>,
}

/// Passes added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sum {
    /// Draw calls.
    pub passes: u64,
    /// Of these, passes that read their own target.
    pub feedback: u64,
    /// Rectangles rasterised.
    pub rectangles: u64,
    /// Points rasterised.
    pub points: u64,
    /// Fragments run.
    pub fragments: u64,
    /// Bytes rendered.
    pub bytes_written: u64,
}

impl Sum {
    fn add(mut self, (run, &times): (&Run, &u64)) -> Self {
        self.passes += times;
        self.feedback += times * u64::from(run.feedback);
        self.rectangles += times * run.rectangles;
        self.points += times * run.points;
        self.fragments += times * run.fragments;
        self.bytes_written += times * run.bytes_written;
        self
    }
}

impl Account {
    /// All passes together.
    pub fn sum(&self) -> Sum {
        self.runs.iter().fold(Sum::default(), Sum::add)
    }
}

/// Counts of everything since it was last taken ([`super::Machine::take_ledger`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// By kernel, variants apart.
    #[serde(skip)]
    pub kernels: BTreeMap<String, Account>,
    /// Changes of the render target: of the surface that is rendered into.
    pub target_switches: u64,
    /// Of these, changes of the buffer that the surface belongs to. The others are from one surface
    /// to another one of the same buffer ([`super::Stream::surfaces`]).
    pub buffer_switches: u64,
    /// Changes of the OpenGL context ([`super::Buffer::Context`]), to render or to read back.
    pub context_switches: u64,
    /// Changes of the program.
    pub program_switches: u64,
    /// Transfers to graphics memory: textures and geometry.
    pub uploads: u64,
    /// Their bytes.
    pub bytes_uploaded: u64,
    /// Transfers from graphics memory.
    pub read_backs: u64,
    /// Their texels.
    pub texels_read_back: u64,
    /// Their bytes.
    pub bytes_read_back: u64,
    /// Occlusion queries.
    pub queries: u64,
    /// Pictures that were drawn by other means than passes ([`super::Stream::draw_outside`]).
    pub drawn_outside: u64,
    /// Bytes of all streams alive now.
    pub bytes_allocated: u64,
    /// The most bytes of streams that were alive at one time.
    pub peak_bytes_allocated: u64,
}

impl Ledger {
    pub(super) fn pass(&mut self, kernel: &Kernel, run: Run) {
        if !self.kernels.contains_key(kernel.name()) {
            let account = Account {
                text: Rc::clone(kernel.text()),
                in_assembly: kernel.is_in_assembly(),
                runs: BTreeMap::new(),
            };
            self.kernels.insert(kernel.name().to_owned(), account);
        }
        if let Some(account) = self.kernels.get_mut(kernel.name()) {
            *account.runs.entry(run).or_default() += 1;
        }
    }

    pub(super) fn switch_target(&mut self, changes_buffer: bool) {
        self.target_switches += 1;
        self.buffer_switches += u64::from(changes_buffer);
    }

    pub(super) fn switch_context(&mut self) {
        self.context_switches += 1;
    }

    pub(super) fn switch_program(&mut self) {
        self.program_switches += 1;
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

    pub(super) fn query(&mut self) {
        self.queries += 1;
    }

    pub(super) fn allocate(&mut self, bytes: u64) {
        self.bytes_allocated += bytes;
        self.peak_bytes_allocated = self.peak_bytes_allocated.max(self.bytes_allocated);
    }

    pub(super) fn free(&mut self, bytes: u64) {
        self.bytes_allocated -= bytes;
    }

    /// All passes of all kernels together.
    pub fn total(&self) -> Sum {
        let runs = self.kernels.values().flat_map(|account| &account.runs);
        runs.fold(Sum::default(), Sum::add)
    }
}
