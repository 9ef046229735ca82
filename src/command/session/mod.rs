//! What every command has: standard output, a progress bar, and the machine, started when it is
//! first needed.

pub mod filming;

use std::cell::OnceCell;
use std::io::{self, ErrorKind, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::card::cost::bill;
use crate::stream::{Ledger, Machine};

use super::failure::Failure;
use filming::Filming;

/// How the ledger is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LedgerForm {
    /// A table of the kernels and the sums.
    Table,
    /// One JSON object.
    Json,
}

/// One run of the command.
pub struct Session {
    /// Standard output.
    pub out: Output,
    machine: OnceCell<Machine>,
    /// What another machine than this one did.
    done: Ledger,
    ledger: Option<LedgerForm>,
    film: Option<Filming>,
}

impl Session {
    /// A run that will print the ledger in this form, if any, and make a film, if any.
    pub fn new(ledger: Option<LedgerForm>, film: Option<Filming>) -> Self {
        Session {
            out: Output,
            machine: OnceCell::new(),
            done: Ledger::default(),
            ledger,
            film,
        }
    }

    /// The machine. Commands look at their input first: bad input is found without any driver.
    pub fn machine(&self) -> Result<Machine, Failure> {
        self.machine_for(usize::MAX)
    }

    /// The machine, for passes that write so many texels of four numbers as a rule: half of those of one
    /// number; and half of a finest grid's, where there are coarser ones.
    pub fn machine_for(&self, texels: usize) -> Result<Machine, Failure> {
        if let Some(machine) = self.machine.get() {
            return Ok(machine.clone());
        }
        let machine = Machine::headless_for(texels)?;
        self.watch(&machine)?;
        Ok(self.machine.get_or_init(|| machine).clone())
    }

    /// Begins to record what this machine does, if a film is to be made.
    pub fn watch(&self, machine: &Machine) -> Result<(), Failure> {
        let film = self.film.as_ref();
        film.map_or(Ok(()), |film| film.start(machine))
    }

    /// What the machine of a window did, which is gone with it.
    pub fn record(&mut self, ledger: Ledger) {
        self.done = ledger;
    }

    /// Writes out what is buffered.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Passes in the film so far.
    pub fn filmed(&self) -> usize {
        self.film.as_ref().map_or(0, Filming::passes)
    }

    /// Warns if a film is made and the run, of about that many passes, is longer.
    pub fn expect_passes(&self, passes: usize) {
        if let Some(film) = &self.film {
            film.expect(passes);
        }
    }

    /// Writes the film, if one was asked for.
    pub fn write_film(&mut self) -> Result<(), Failure> {
        let film = self.film.take();
        film.map_or(Ok(()), |film| film.write(&mut self.out))
    }

    /// Prints the ledger on standard error, if it was asked for.
    pub fn print_ledger(&self) {
        let Some(form) = self.ledger else { return };
        let ledger = match self.machine.get() {
            Some(machine) => machine.ledger(),
            None => self.done.clone(),
        };
        let text = match form {
            LedgerForm::Table => bill(&ledger).to_string(),
            LedgerForm::Json => serde_json::json!(bill(&ledger)).to_string(),
        };
        // Standard error is the last place to complain to.
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// Standard output. Once nobody reads it any more (`fragstream list | head -1`), what is written is
/// dropped and no error: the command may have files to write.
pub struct Output;

impl Output {
    /// Prints one JSON value.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        serde_json::to_writer_pretty(&mut *self, value).map_err(io::Error::from)?;
        Ok(writeln!(self)?)
    }

    /// Prints lines of a name and what it stands for, which begins in column `width`.
    pub fn rows(&mut self, width: usize, rows: &[(&str, String)]) -> Result<(), Failure> {
        let mut rows = rows.iter();
        Ok(rows.try_for_each(|(name, text)| writeln!(self, "{name:width$}{text}"))?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(io::stdout().write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(io::stdout().flush(), ())
    }
}

fn unless_closed<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(otherwise),
        other => other.map_err(unwritable),
    }
}

/// The error with a remedy; those of files have their own, and name them.
pub fn unwritable(error: io::Error) -> io::Error {
    let what = format!("standard output: cannot write: {error}; redirect it elsewhere");
    io::Error::new(error.kind(), what)
}

/// A bar of `length` steps on standard error where that is a terminal, otherwise nothing.
pub fn progress_bar(length: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {wide_msg}");
    bar_in(ProgressBar::new(length), style)
}

/// A sign of life for work of unknown length, likewise.
pub fn spinner() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    bar_in(ProgressBar::new_spinner(), style)
}

/// Shows cycles and their residuals for as long as it is there.
pub fn cycles_shown() -> impl FnMut(usize, f64) {
    let sign = Sign::new();
    move |cycle, residual| sign.say(|| format!("cycle {cycle}: residual {residual:.2e}"))
}

/// How often a terminal is written to, and another standard error.
const EVERY: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(20)];

/// What a long method is at, for as long as it is there: on a terminal all the time, in a file a line now
/// and then.
pub struct Sign {
    bar: ProgressBar,
    /// When it was first asked, and when it last said a thing.
    times: Mutex<Option<[Instant; 2]>>,
}

impl Sign {
    /// A sign that has said nothing yet.
    pub fn new() -> Self {
        Self::with(spinner())
    }

    /// The same for work of so many steps.
    pub fn of_steps(count: u64) -> Self {
        Self::with(progress_bar(count))
    }

    fn with(bar: ProgressBar) -> Self {
        let times = Mutex::new(None);
        Sign { bar, times }
    }

    /// A step is done.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Says a thing that is not to be missed.
    pub fn announce(&self, what: &str) {
        // Where standard error cannot be written to, nobody waits for it.
        let write = || writeln!(io::stderr(), "fragstream: {what}");
        let _ = self.bar.suspend(write);
    }

    /// Says where it is, if it is time to.
    pub fn say(&self, what: impl FnOnce() -> String) {
        let (now, hidden) = (Instant::now(), self.bar.is_hidden());
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        let [began, last] = times.unwrap_or([now; 2]);
        let is_first = times.is_none() && !hidden;
        let is_time = is_first || now - last >= EVERY[usize::from(hidden)];
        *times = Some([began, if is_time { now } else { last }]);
        if !is_time {
            return;
        }
        match hidden {
            true => {
                let seconds = (now - began).as_secs();
                self.announce(&format!("after {seconds} s, {}", what()));
            }
            false => self.bar.set_message(what()),
        }
    }
}

impl Drop for Sign {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar_in<E>(bar: ProgressBar, style: Result<ProgressStyle, E>) -> ProgressBar {
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
