//! The parts that all commands share: standard output, progress, and the machine, started when it is first
//! needed.

pub mod filming;
mod overflow;
mod passes;

use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::{Value, json};

use crate::base::columns::wrapped;
use crate::card::cache::Shape;
use crate::card::cost::bill;
use crate::card::traffic::Traffic;
use crate::gl::GlError;
use crate::io::names::{quoted, shown_in_colours};
use crate::layouts::compare::CACHES;
use crate::program::formats::Registers;
use crate::program::interpret::Order;
use crate::stream::{Backend, Ledger, Machine, Observation, StreamError};
use crate::timing::rig::{busy, cores, load};

use super::failure::{Failure, Status};
use super::output::{
    UNLIMITED, error_columns, keep_notes, kept_notes, note, output_columns, put, report,
};
use super::printer;
use filming::Filming;
use overflow::Overflow;
use passes::Passes;

/// The form in which the ledger is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LedgerForm {
    /// A table of the kernels and the sums.
    Table,
    /// One JSON object, which also has what else is printed to standard error.
    Json,
    /// The table, and the bytes that the passes move through texture caches of 2003. Every pass is traced, which takes
    /// far longer than the run.
    Cache,
}

/// Note for drivers without a texture barrier.
pub const COPIES: &str =
    "this driver lacks the texture barrier: passes that would read their target read a copy of it";

/// Longest run of the interpreter if it draws for lack of a driver.
const INTERPRETED: Duration = Duration::from_secs(60);

/// One run of the command.
pub struct Session {
    /// Standard output.
    pub out: Output,
    /// True if the result is printed as JSON.
    pub json: bool,
    /// Name of the command.
    command: String,
    /// The command with all its settings, for the result in JSON.
    experiment: Option<Value>,
    /// First line of the result as text, until it is printed.
    headline: Option<String>,
    /// The interrupt that made the run end early.
    interruption: Option<Failure>,
    machine: OnceCell<Machine>,
    /// True if the interpreter draws because no OpenGL was found.
    is_for_lack: Cell<bool>,
    /// Ledger of a machine that is gone.
    done: Ledger,
    ledger: Option<LedgerForm>,
    /// Traces the passes, for [`LedgerForm::Cache`].
    traffic: Rc<Traffic>,
    observation: OnceCell<Observation>,
    /// The passes, for `--passes`.
    passes: Option<Rc<Passes>>,
    passes_observation: OnceCell<Observation>,
    /// The first number out of range, if registers were chosen.
    overflow: OnceCell<(Rc<Overflow>, Observation)>,
    film: Option<Filming>,
}

impl Session {
    /// Creates a run. Its result is printed as JSON or as text; the ledger and the film are optional.
    pub fn new(
        command: String,
        json: bool,
        ledger: Option<LedgerForm>,
        film: Option<Filming>,
        passes: bool,
    ) -> Self {
        if ledger == Some(LedgerForm::Json) {
            keep_notes();
        }
        Session {
            out: Output { width: output_columns().filter(|_| !json), line: Vec::new() },
            json,
            command,
            experiment: None,
            headline: None,
            interruption: None,
            machine: OnceCell::new(),
            is_for_lack: Cell::new(false),
            done: Ledger::default(),
            ledger,
            traffic: Rc::new(Traffic::new(CACHES.map(Shape::of_kb).to_vec(), Order::Batches)),
            observation: OnceCell::new(),
            passes: passes.then(Rc::default),
            passes_observation: OnceCell::new(),
            overflow: OnceCell::new(),
            film,
        }
    }

    /// The machine. Commands read their input first, so that bad input is reported without a driver.
    pub fn machine(&self) -> Result<Machine, Failure> {
        self.machine_for(usize::MAX)
    }

    /// The machine, tuned for passes that usually write this number of texels with four channels. Count half
    /// the texels with one channel, and half of the finest grid's if there are coarser ones.
    pub fn machine_for(&self, texels: usize) -> Result<Machine, Failure> {
        if let Some(machine) = self.machine.get() {
            return Ok(machine.clone());
        }
        let machine = self.start(texels)?;
        self.watch(&machine)?;
        Ok(self.machine.get_or_init(|| machine).clone())
    }

    /// Starts the machine. Where no OpenGL is found, and none was asked for, the interpreter draws for a minute.
    fn start(&self, texels: usize) -> Result<Machine, Failure> {
        let is_asked = || {
            Ok::<_, Failure>(
                Backend::chosen()?.is_some() || std::env::var_os("FRAGSTREAM_DEVICE").is_some(),
            )
        };
        match Machine::headless_for(texels) {
            Err(StreamError::Gl(GlError::NoEgl { .. } | GlError::NoContext { .. }))
                if !is_asked()? =>
            {
                note("no OpenGL was found: fragstream's interpreter computes on the CPU instead");
                self.is_for_lack.set(true);
                let until = Instant::now() + INTERPRETED;
                Ok(Machine::interpreted_until(Registers::Single, Some(until))?)
            }
            machine => Ok(machine?),
        }
    }

    /// Fails if the interpreter draws for lack of a driver, and the rest of the run would take it this long.
    pub fn forecast(&self, rest: Duration) -> Result<(), Failure> {
        match self.is_for_lack.get() && rest > INTERPRETED {
            true => Err(GlError::Overdue.into()),
            false => Ok(()),
        }
    }

    /// Starts recording this machine, if `--film` was given, and tracing it for `--ledger=cache`. Where the driver
    /// lacks the texture barrier, passes read copies of their targets, except in commands that judge or time them.
    pub fn watch(&self, machine: &Machine) -> Result<(), Failure> {
        if !["reproduce", "bench", "layouts"].iter().any(|name| self.command.starts_with(name)) {
            machine.copy_targets(|| note(COPIES));
        }
        if self.ledger == Some(LedgerForm::Cache) {
            let observation = machine.observe(Rc::clone(&self.traffic) as _)?;
            self.observation.get_or_init(|| observation);
        }
        if let Some(passes) = &self.passes {
            let observation = machine.observe(Rc::clone(passes) as _)?;
            self.passes_observation.get_or_init(|| observation);
        }
        if let Some(registers) = machine.interpreter().filter(|all| *all != Registers::Single) {
            let overflow = Rc::new(Overflow::new(registers));
            let observation = machine.observe(Rc::clone(&overflow) as _)?;
            self.overflow.get_or_init(|| (overflow, observation));
        }
        let film = self.film.as_ref();
        film.map_or(Ok(()), |film| film.start(machine))
    }

    /// Tests whether passes are counted or recorded, so that none may be drawn that the command does not name.
    pub fn is_recorded(&self) -> bool {
        self.ledger.is_some() || self.passes.is_some() || self.film.is_some()
    }

    /// Sets the experiment that is run: JSON has its description, and text begins with its headline.
    pub fn begin(&mut self, experiment: Value, headline: String) {
        (self.experiment, self.headline) = (Some(experiment), Some(headline));
    }

    /// Remedy for options: to leave them out, or the preset if that gave them.
    pub fn leave_out(&self, options: &[&str]) -> String {
        let command = self.experiment.as_ref().and_then(|one| one["command"].as_str());
        let is_given = |option: &&&str| {
            command.is_some_and(|line| line.split(' ').any(|word| word == **option))
        };
        let mut names: Vec<&str> = options.iter().filter(is_given).copied().collect();
        if names.len() < options.len() {
            names.insert(0, "--preset");
        }
        format!("leave out {}", names.join(" and "))
    }

    /// Notes in the experiment that this machine needs another value of a setting.
    pub fn replaced(&mut self, setting: &str, word: &str) {
        if let Some(experiment) = &mut self.experiment {
            let command = experiment["command"].as_str().unwrap_or_default();
            experiment["command"] = format!("{command} --{setting} {word}").into();
            experiment["settings"][setting] = word.into();
        }
    }

    /// Notes in the experiment the value of a setting, if it was left open.
    pub fn resolved(&mut self, setting: &str, value: impl Into<Value>) {
        if let Some(experiment) = &mut self.experiment
            && experiment["settings"][setting].is_null()
        {
            experiment["resolved"][setting] = value.into();
        }
    }

    /// Prints the headline of the experiment, once.
    pub fn print_headline(&mut self) -> io::Result<()> {
        match self.headline.take() {
            Some(headline) if !self.json => writeln!(self.out, "{headline}"),
            _ => Ok(()),
        }
    }

    /// Keeps the ledger of a window's machine, which is dropped with the window.
    pub fn record(&mut self, ledger: Ledger) {
        self.done = ledger;
    }

    /// Prints a result as text, or with `--json` as one object with the settings.
    pub fn print(
        &mut self,
        settings: &impl Serialize,
        result: &impl Serialize,
    ) -> Result<(), Failure> {
        let mut printed = value(result)?;
        if !self.json {
            self.print_headline()?;
            let text = printer::text(&printed, self.out.columns(UNLIMITED));
            return Ok(self.out.write_all(text.as_bytes())?);
        }
        if let (Value::Object(mut all), Value::Object(result)) = (value(settings)?, &mut printed) {
            all.append(result);
            printed = Value::Object(all);
        }
        self.print_as(&printed, |_| Ok(()))
    }

    /// Prints a result that has its own text form, or with `--json` as one object.
    pub fn print_as(
        &mut self,
        result: &impl Serialize,
        text: impl FnOnce(&mut Output) -> io::Result<()>,
    ) -> Result<(), Failure> {
        if self.json { self.print_object(value(result)?) } else { Ok(text(&mut self.out)?) }
    }

    /// Prints the object of a result.
    fn print_object(&mut self, result: Value) -> Result<(), Failure> {
        let version = env!("CARGO_PKG_VERSION");
        let mut all = json!({ "command": self.command, "version": version, "result": result });
        if let Some(experiment) = self.experiment.take() {
            all["experiment"] = experiment;
        }
        if let Some(passes) = &self.passes {
            all["passes"] = value(&**passes)?;
        }
        if let Some(registers) = self.interpreted() {
            all["backend"] = "interpreter".into();
            all["arithmetic"] = registers.to_string().into();
        }
        Ok(writeln!(self.out, "{}", quoted(&format!("{all:#}")))?)
    }

    /// Records that an interrupt made the run end early: its results are those up to `place`.
    pub fn interrupt(&mut self, status: Status, place: impl Display) {
        let what = format_args!("interrupted after {place}. What was finished is kept");
        self.interruption = Some(Failure::new(status, what));
    }

    /// Fails if an interrupt made the run end early.
    pub fn interruption(&mut self) -> Result<(), Failure> {
        self.interruption.take().map_or(Ok(()), Err)
    }

    /// The interpreter's registers, if it has drawn.
    fn interpreted(&self) -> Option<Registers> {
        self.machine.get().and_then(Machine::interpreter)
    }

    /// Flushes standard output.
    pub fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }

    /// Passes in the film so far.
    pub fn filmed(&self) -> usize {
        self.film.as_ref().map_or(0, Filming::passes)
    }

    /// Warns if a run with about that many passes is longer than the film.
    pub fn expect_passes(&self, passes: usize) {
        if let Some(film) = &self.film {
            film.expect(passes);
        }
    }

    /// Writes the film, if `--film` was given.
    pub fn write_film(&mut self) -> Result<(), Failure> {
        self.film.take().map_or(Ok(()), Filming::write)
    }

    /// Prints the ledger to standard error, if `--ledger` was given, and the message of a failure. As JSON the
    /// ledger is one object, with the notes of the run.
    pub fn end(self, result: Result<(), Failure>) -> ExitCode {
        let registers = self.interpreted();
        let ledger = self.machine.get().map_or(self.done, Machine::ledger);
        if let (Some(LedgerForm::Table | LedgerForm::Cache), Some(registers)) =
            (self.ledger, registers)
        {
            note(format_args!("backend: interpreter, {registers}"));
        }
        if let Some(passes) = self.passes.filter(|_| !self.json) {
            note(format_args!("{passes:0$}", error_columns()));
        }
        if matches!(self.ledger, Some(LedgerForm::Table | LedgerForm::Cache)) {
            note(format_args!("{:1$}", bill(&ledger), error_columns()));
        }
        if self.ledger == Some(LedgerForm::Cache) {
            note(format_args!("{:1$}", self.traffic, error_columns()));
        }
        let result = match self.overflow.get() {
            Some((overflow, _)) => result.map_err(|failure| overflow.explain(failure)),
            None => result,
        };
        let code = result.map_or_else(report, |()| ExitCode::SUCCESS);
        if self.ledger == Some(LedgerForm::Json) {
            let mut printed = json!(bill(&ledger));
            if let Some(registers) = registers {
                printed["backend"] = "interpreter".into();
                printed["arithmetic"] = registers.to_string().into();
            }
            printed["notes"] = kept_notes().into();
            put(&quoted(&printed.to_string()));
        }
        code
    }
}

fn value(record: &impl Serialize) -> io::Result<Value> {
    serde_json::to_value(record).map_err(io::Error::from)
}

/// Standard output. Once it is closed (`fragstream list | head -1`, or a terminal), output is dropped without an
/// error, because the command may still have files to write. Control characters that a file has brought are escaped.
///
/// Lines of text that are wider than a terminal continue below, indented.
pub struct Output {
    /// Columns of text; `None` for lines that stay as they are.
    width: Option<usize>,
    /// A line of a terminal, as far as it is known.
    line: Vec<u8>,
}

impl Output {
    /// Its columns, or this number if it has no width.
    pub fn columns(&self, otherwise: usize) -> usize {
        self.width.unwrap_or(otherwise)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(width) = self.width else {
            let text = String::from_utf8_lossy(bytes);
            let all = shown_in_colours(&text);
            return unless_closed(io::stdout().write_all(all.as_bytes()), ()).map(|()| bytes.len());
        };
        self.line.extend_from_slice(bytes);
        if bytes.contains(&b'\n') {
            let end = self.line.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let lines: Vec<u8> = self.line.drain(..end).collect();
            let text = wrapped(&shown_in_colours(&String::from_utf8_lossy(&lines)), width);
            unless_closed(io::stdout().write_all(text.as_bytes()), ())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let rest = std::mem::take(&mut self.line);
        let rest = String::from_utf8_lossy(&rest);
        let rest = shown_in_colours(&rest);
        unless_closed(
            io::stdout().write_all(rest.as_bytes()).and_then(|()| io::stdout().flush()),
            (),
        )
    }
}

fn unless_closed<T>(result: io::Result<T>, otherwise: T) -> io::Result<T> {
    // A closed terminal fails with EIO, as a broken disk does.
    let is_hung_up = |error: &io::Error| {
        let is_file = || fs::metadata("/dev/stdout").is_ok_and(|out| out.is_file());
        cfg!(unix) && error.raw_os_error() == Some(5) && !is_file()
    };
    result.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(otherwise),
        _ if is_hung_up(&error) => Ok(otherwise),
        kind => {
            let what = format!("standard output: cannot write: {error}. Redirect it elsewhere");
            Err(io::Error::new(kind, what))
        }
    })
}

/// The progress of a long computation, on standard error; cleared at its end. Where that is not a terminal, a line after ten
/// seconds, and then each time that the time has doubled.
pub struct Progress {
    bar: ProgressBar,
    lines: Arc<Lines>,
    /// Ends the thread that writes lines during a step, when it is dropped.
    _end: Option<Sender<()>>,
}

/// Lines on a computation where standard error is not a terminal.
struct Lines {
    start: Instant,
    /// Seconds of the next line.
    next: AtomicU64,
}

impl Lines {
    /// Writes a line if one is due.
    fn write(&self, what: impl FnOnce() -> String) {
        let seconds = self.start.elapsed().as_secs();
        if seconds >= self.next.load(Relaxed) && !io::stderr().is_terminal() {
            self.next.store(2 * seconds, Relaxed);
            note(format_args!("after {seconds} s: {}", what()));
        }
    }
}

/// Seconds without a word.
const SILENT: u64 = 10;

impl Progress {
    /// Progress of work of unknown length.
    pub fn of(what: &str) -> Self {
        let bar = ProgressBar::new_spinner().with_message(what.to_owned());
        let progress = Self::styled(bar, "{spinner} {elapsed} {wide_msg}");
        if progress.is_shown() {
            progress.bar.enable_steady_tick(Duration::from_millis(100));
        }
        progress.watched(if what.is_empty() { "computing" } else { what })
    }

    /// Progress of work with this number of steps.
    pub fn of_steps(count: u64) -> Self {
        let bar = ProgressBar::new(count);
        Self::styled(bar, "{bar:30} {pos}/{len} {elapsed} {wide_msg}").watched("")
    }

    /// Writes lines during a step, too, where standard error is not a terminal.
    fn watched(mut self, what: &str) -> Self {
        if self.is_shown() {
            return self;
        }
        let (lines, bar, what) = (self.lines.clone(), self.bar.clone(), what.to_owned());
        let (end, is_ended) = channel();
        let wait = move || {
            while is_ended.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                lines.write(|| match bar.length() {
                    Some(all) => format!("{} of {all}", bar.position()),
                    None => what.clone(),
                });
            }
        };
        // Without another thread there are lines between steps only.
        self._end = thread::Builder::new().spawn(wait).ok().map(|_| end);
        self
    }

    fn styled(bar: ProgressBar, template: &str) -> Self {
        let bar = match ProgressStyle::with_template(template) {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        };
        let lines = Arc::new(Lines { start: Instant::now(), next: SILENT.into() });
        Self { bar, lines, _end: None }
    }

    /// Tests whether the progress is visible.
    pub fn is_shown(&self) -> bool {
        !self.bar.is_hidden()
    }

    /// Shows a message.
    pub fn say(&self, what: impl FnOnce() -> String) {
        if self.is_shown() {
            self.bar.set_message(what());
        } else {
            self.lines.write(what);
        }
    }

    /// Counts a step.
    pub fn step(&self) {
        self.bar.inc(1);
        if let Some(all) = self.bar.length().filter(|_| !self.is_shown()) {
            self.lines.write(|| format!("{} of {all}", self.bar.position()));
        }
    }

    /// Hides the progress while `write` prints.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows cycles and their residuals as progress.
pub fn cycles_shown() -> impl FnMut(usize, f64) {
    let progress = Progress::of("");
    move |cycle, residual| progress.say(|| format!("cycle {cycle}: residual {residual:.2e}"))
}

/// Notes, before works are timed, reasons to distrust their times, and returns them for the result.
pub fn warned() -> Vec<String> {
    busy(load(), cores()).into_iter().inspect(|warning| note(warning)).collect()
}
