//! The ledger: what the machine was made to do.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::Kernel;
use crate::card::cost::Nv30;

/// What one pass did.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Run {
    pub rectangles: u64,
    pub points: u64,
    pub fragments: u64,
    pub tuples: u64,
    pub fetches: u64,
    pub bytes_read: u64,
    pub bytes_written: u64,
    pub feedback: bool,
}

/// The passes of one kernel, added up.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Account {
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
    /// Texture fetches, as the program's text has them.
    pub fetches: u64,
    /// Bytes fetched, caches not considered.
    pub bytes_read: u64,
    /// Bytes rendered.
    pub bytes_written: u64,
    /// Instructions of the program for one fragment, as the NV30 would count them.
    pub instructions: u32,
    /// Seconds that the model of the NV30 gives these passes: of its fragment stage, quantised by
    /// batches with a flush after each pass, or of its memory, whichever is longer.
    pub nv30_seconds: f64,
}

/// Counts of everything since it was last taken ([`super::Machine::take_ledger`]).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Ledger {
    /// By kernel, variants apart.
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
    /// Bytes of all streams alive now.
    pub bytes_allocated: u64,
    /// The most bytes of streams that were alive at one time.
    pub peak_bytes_allocated: u64,
}

impl Ledger {
    pub(super) fn pass(&mut self, kernel: &Kernel, run: Run) {
        if !self.kernels.contains_key(kernel.name()) {
            let account = Account {
                instructions: kernel.count().instructions,
                ..Account::default()
            };
            self.kernels.insert(kernel.name().to_owned(), account);
        }
        let Some(account) = self.kernels.get_mut(kernel.name()) else {
            return;
        };
        account.passes += 1;
        account.feedback += u64::from(run.feedback);
        account.rectangles += run.rectangles;
        account.points += run.points;
        account.fragments += run.fragments;
        account.fetches += run.fetches;
        account.bytes_read += run.bytes_read;
        account.bytes_written += run.bytes_written;
        let nv30 = Nv30::default();
        let compute = nv30.seconds(nv30.batches(run.tuples), account.instructions);
        let transfer = (run.bytes_read + run.bytes_written) as f64 / nv30.bandwidth;
        account.nv30_seconds += compute.max(transfer);
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

    /// All kernels together.
    pub fn total(&self) -> Account {
        let mut total = Account::default();
        for account in self.kernels.values() {
            total.passes += account.passes;
            total.feedback += account.feedback;
            total.rectangles += account.rectangles;
            total.points += account.points;
            total.fragments += account.fragments;
            total.fetches += account.fetches;
            total.bytes_read += account.bytes_read;
            total.bytes_written += account.bytes_written;
            total.nv30_seconds += account.nv30_seconds;
        }
        total
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<44} {:>8} {:>10} {:>10} {:>13} {:>14} {:>9} {:>9} {:>6} {:>10}",
            "kernel",
            "passes",
            "rectangles",
            "points",
            "fragments",
            "fetches",
            "MB read",
            "MB out",
            "instr",
            "NV30 ms*"
        )?;
        let total = self.total();
        let rows = self.kernels.iter().map(|(name, a)| (name.as_str(), a));
        for (name, a) in rows.chain([("all", &total)]) {
            let instructions = match a.instructions {
                0 => String::new(),
                n => n.to_string(),
            };
            writeln!(
                f,
                "{name:<44} {:>8} {:>10} {:>10} {:>13} {:>14} {:>9.1} {:>9.1} {instructions:>6} {:>10.3}",
                a.passes,
                a.rectangles,
                a.points,
                a.fragments,
                a.fetches,
                a.bytes_read as f64 / 1e6,
                a.bytes_written as f64 / 1e6,
                a.nv30_seconds * 1e3,
            )?;
        }
        writeln!(
            f,
            "target switches {} (of buffers {}, of contexts {}), program switches {}, \
             feedback passes {}, queries {}",
            self.target_switches,
            self.buffer_switches,
            self.context_switches,
            self.program_switches,
            total.feedback,
            self.queries
        )?;
        writeln!(
            f,
            "* model: what a GeForce FX would have taken, target switches not counted"
        )?;
        write!(
            f,
            "uploads {} ({:.1} MB), read-backs {} ({} texels), streams alive {:.1} MB (at most {:.1})",
            self.uploads,
            self.bytes_uploaded as f64 / 1e6,
            self.read_backs,
            self.texels_read_back,
            self.bytes_allocated as f64 / 1e6,
            self.peak_bytes_allocated as f64 / 1e6
        )
    }
}
