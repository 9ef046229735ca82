//! The bill of a ledger: the time that its passes would have taken in 2003.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::clock::{COSTS, Charged, Cost, charges};
use super::{CARDS, Nv30};
use crate::base::columns::aligned;
use crate::card::count::{Count, CountError, count};
use crate::card::limits::excess;
use crate::stream::{Account, Ledger, PassCounts, ProgramText, Work};

/// A ledger and its charges. Prints as a table, which fits the width of the format (`{:80}`); serialises as one object.
#[derive(Debug, Clone, Serialize)]
pub struct Bill {
    /// Charges by kernel and variant.
    pub kernels: BTreeMap<String, Charge>,
    /// The work that is charged.
    #[serde(flatten)]
    pub ledger: Ledger,
    /// Programs that cannot be counted, such as a user's, with the reason. Their charges count no instructions
    /// and no fetches.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub uncounted: BTreeMap<String, String>,
    /// Programs that exceed the card of their paper without a declared exception.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excesses: Vec<String>,
    /// Times on each card.
    pub cards: [CardSeconds; CARDS.len()],
    /// Waits, switches and transfers by the papers' costs.
    pub drivers: [Charged; COSTS.len()],
    /// Set if a program fetches at positions read from a texture: the cards' model was not fitted to those.
    #[serde(skip)]
    pub is_scattered: bool,
}

/// Time on a card for the whole ledger without transfers, by the model that was fitted to the papers' timings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CardSeconds {
    /// Name of the card.
    pub card: &'static str,
    /// Name of its driver.
    pub driver: &'static str,
    /// Seconds of the passes.
    pub passes: f64,
    /// Seconds of the target switches, as far as `passes` does not contain them.
    pub switching: f64,
}

/// Cost of the passes of a kernel.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Charge {
    /// Work of these passes.
    #[serde(flatten)]
    pub done: Work,
    /// Instructions of the program per fragment, as NV30 would count them; 0 for a sum over kernels.
    pub instructions: u32,
    /// Seconds by the model of NV30 ([`Nv30::pass_seconds`]).
    pub nv30_seconds: f64,
}

/// Computes the bill of a ledger. Each program is parsed and counted only once per process.
pub fn bill(ledger: &Ledger) -> Bill {
    let (mut uncounted, mut is_scattered) = (BTreeMap::new(), false);
    let mut cards = CARDS.map(|card| CardSeconds {
        card: card.device.name,
        driver: card.driver.name,
        passes: 0.0,
        switching: card.switching_seconds(ledger),
    });
    let names = names(ledger);
    let kernels = names.iter().zip(&ledger.kernels).map(|(name, (text, account))| {
        let count = count(&text.fragment).unwrap_or_else(|error: CountError| {
            uncounted.insert(name.clone(), error.to_string());
            Arc::default()
        });
        is_scattered |= count.by_stream.iter().any(|stream| stream.random > 0);
        for (seconds, card) in cards.iter_mut().zip(CARDS) {
            seconds.passes += card.account_seconds(account, &count);
        }
        (name.clone(), Charge::of(account, &count))
    });
    let kernels = kernels.collect();
    let excesses = ledger.kernels.keys().filter_map(|text| excess(text));
    Bill {
        kernels,
        ledger: ledger.clone(),
        uncounted,
        excesses: excesses.collect(),
        cards,
        drivers: charges(ledger),
        is_scattered,
    }
}

/// Names of the programs of a ledger. Further programs of the same name are numbered.
fn names(ledger: &Ledger) -> Vec<String> {
    let (mut last, mut number) = ("", 1);
    let names = ledger.kernels.keys().map(|text| {
        number = if text.name == last { number + 1 } else { 1 };
        last = &text.name;
        if number == 1 { last.to_owned() } else { format!("{last} ({number})") }
    });
    names.collect()
}

impl Charge {
    fn of(account: &Account, count: &Count) -> Self {
        let nv30 = Nv30::default();
        let passes = || {
            account
                .runs
                .iter()
                .map(|(run, &times)| (run, work(run, &account.streams, count), times))
        };
        let seconds = passes().map(|(run, done, times)| {
            times as f64 * nv30.pass_seconds(run.tuples, count.instructions, done.bytes())
        });
        Self {
            done: passes().map(|(_, done, times)| done.times(times)).sum(),
            instructions: count.instructions,
            nv30_seconds: seconds.fold(0.0, |sum, seconds| sum + seconds),
        }
    }
}

impl Ledger {
    /// All passes of all kernels together. The fetches of a program that cannot be counted are left out.
    pub fn total(&self) -> Work {
        let counted = |text: &ProgramText| count(&text.fragment).unwrap_or_default();
        self.kernels.iter().map(|(text, account)| Charge::of(account, &counted(text)).done).sum()
    }
}

/// Work of a pass of a counted program with these streams.
pub fn work(run: &PassCounts, streams: &[String], count: &Count) -> Work {
    let mut work = run.work();
    for (name, fetches) in count.fetches_of(run.fragments, run.iterations) {
        work.fetches += fetches;
        work.bytes_read += fetches * u64::from(run.bytes_of(name, streams));
    }
    work
}

impl Bill {
    /// Sum over all kernels.
    pub fn total(&self) -> Charge {
        let seconds = self.kernels.values().map(|charge| charge.nv30_seconds);
        Charge {
            done: self.kernels.values().map(|charge| charge.done).sum(),
            instructions: 0,
            nv30_seconds: seconds.fold(0.0, |sum, seconds| sum + seconds),
        }
    }

    /// Instructions of all fragments.
    pub fn instructions(&self) -> f64 {
        let kernels = self.kernels.values();
        kernels.map(|c| f64::from(c.instructions) * c.done.fragments as f64).sum()
    }
}

impl fmt::Display for Bill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headings = [
            "kernel",
            "passes",
            "rectangles",
            "points",
            "fragments",
            "fetches",
            "MB read",
            "MB out",
            "instr",
            "peak ms*",
        ];
        let total = self.total();
        let charges = self.kernels.iter().map(|(name, charge)| (name.as_str(), charge));
        let rows = charges.chain([("all", &total)]).map(|(name, charge)| {
            let instructions = Some(charge.instructions).filter(|&count| count > 0);
            vec![
                name.to_owned(),
                charge.done.passes.to_string(),
                charge.done.rectangles.to_string(),
                charge.done.points.to_string(),
                charge.done.fragments.to_string(),
                charge.done.fetches.to_string(),
                format!("{:.1}", charge.done.bytes_read as f64 / 1e6),
                format!("{:.1}", charge.done.bytes_written as f64 / 1e6),
                instructions.map(|count| count.to_string()).unwrap_or_default(),
                format!("{:.3}", charge.nv30_seconds * 1e3),
            ]
        });
        f.write_str(&aligned(
            &headings,
            rows.collect(),
            |column| column == 0,
            f.width().unwrap_or(usize::MAX),
        ))?;
        let names = names(&self.ledger);
        let assembled = |of: bool| {
            let accounts = names.iter().zip(self.ledger.kernels.values());
            accounts.filter(move |(_, account)| account.in_assembly == of).map(|(name, _)| name)
        };
        if assembled(true).next().is_some() {
            for name in assembled(false) {
                writeln!(f, "{name} ran as GLSL: assembly cannot express it")?;
            }
        }
        for (name, why) in &self.uncounted {
            writeln!(f, "{name} is not counted: {why}")?;
        }
        for excess in &self.excesses {
            writeln!(f, "{excess}")?;
        }
        let ledger = &self.ledger;
        writeln!(
            f,
            "target switches {} (of buffers {}, of contexts {}), program switches {}, \
             feedback passes {}, queries {}, drawn outside {}",
            ledger.target_switches,
            ledger.buffer_switches,
            ledger.context_switches,
            ledger.program_switches,
            total.done.feedback,
            ledger.queries,
            ledger.drawn_outside
        )?;
        writeln!(f, "* the theoretical peak of a GeForce FX: arithmetic and bus alone")?;
        writeln!(
            f,
            "uploads {} ({:.1} MB), read-backs {} ({} texels), streams alive {:.1} MB (at most {:.1})",
            ledger.uploads,
            ledger.bytes_uploaded as f64 / 1e6,
            ledger.read_backs,
            ledger.texels_read_back,
            ledger.bytes_allocated as f64 / 1e6,
            ledger.peak_bytes_allocated as f64 / 1e6
        )?;
        for charged in self.drivers.iter().filter(|charged| charged.count > 0) {
            let Cost { what, source, .. } = charged.cost;
            let (count, seconds) = (charged.count, charged.seconds());
            writeln!(f, "{seconds:.6} s for {count} {what} ({source})")?;
        }
        write!(f, "in the model of the cards of 2003, transfers not counted (seconds):")?;
        for card in &self.cards {
            let all = card.passes + card.switching;
            write!(f, "\n  {:<22} {:<11} {all:>12.6}", card.card, card.driver)?;
            if card.switching > 0.0 {
                write!(f, ", of these {:.6} for target switches", card.switching)?;
            }
        }
        Ok(())
    }
}
