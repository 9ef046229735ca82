//! Context of a check: the machine, sizes for the mode, shared measurements, rounds, figures.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::Table;
use super::exhibit::{Figure, Program};
use super::inputs::{Given, slug};
use super::{BoxedError, Claim};
use crate::base::random::SplitMix64;
use crate::card::limits::Inspector;
use crate::experiment::{Experiment, Kept, Picture, Place, Record};
use crate::picture::plot::{Bars, Chart};
use crate::stream::{Machine, ProgramText};
use crate::timing::laps::Lap;
use crate::timing::{Effort, Samples, Work, seconds_a_switch};

/// Context shared by the checks of a paper's claims.
pub struct Run<'a> {
    /// The machine that draws.
    pub machine: &'a Machine,
    /// Smaller inputs and less time for rounds.
    pub quick: bool,
    /// A user's inputs, restricted to those that the claim takes.
    pub given: Given,
    /// The experiments whose settings the claim got.
    pub(super) experiments: Vec<Experiment>,
    /// Paper of the claim, as in `bolz2003`.
    pub(super) paper: &'static str,
    /// Figures, tables and programs of the claim so far.
    pub(super) shown: Shown,
    pub(super) inspector: Rc<Inspector>,
    /// Programs and textures beyond the paper's card, in records shared with earlier claims.
    pub(super) beyond: BTreeSet<String>,
    /// Samples of other processes.
    pub(super) brought: Vec<Samples>,
    /// Samples of earlier runs, run by run.
    pub(super) history: Vec<Vec<Samples>>,
    /// Samples of this process.
    pub(super) sampled: RefCell<Vec<Samples>>,
    /// Records the works of each race instead of timing them.
    pub recorder: Option<Recorder<'a>>,
    /// Order of the works in each round.
    pub random: RefCell<SplitMix64>,
    /// True in a process that only times works: a row of a file runs nothing else there.
    pub only_races: bool,
    /// Name of what is measured, and the number of its races so far.
    measured: RefCell<String>,
    races: Cell<usize>,
    records: HashMap<String, Shared>,
    kept: Kept,
}

/// Takes a work: the names of its race and its own, the units of a round, and the function that runs a round.
pub type Recorder<'a> = Box<
    dyn Fn([&str; 2], f64, &mut dyn FnMut() -> Result<(), BoxedError>) -> Result<(), BoxedError>
        + 'a,
>;

/// Fewest processes of an earlier run that counts; one that was interrupted may have fewer.
const FEWEST: usize = 3;

/// Rounds of a process in quick and in full mode.
const ROUNDS: [usize; 2] = [2, 6];

/// A record that claims share, the programs that ran, and what was beyond the paper's card.
type Shared = (Rc<Record>, Vec<Program>, BTreeSet<String>);

/// Figures, tables and programs of a claim.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shown {
    pub figures: Vec<Figure>,
    pub tables: Vec<Table>,
    pub programs: Vec<Program>,
}

impl<'a> Run<'a> {
    /// Creates a run on this machine, in full mode, without a user's inputs.
    pub fn new(machine: &'a Machine) -> Self {
        Self {
            machine,
            quick: false,
            given: Given::default(),
            experiments: Vec::new(),
            paper: "",
            shown: Shown::default(),
            inspector: Rc::default(),
            beyond: BTreeSet::new(),
            brought: Vec::new(),
            history: Vec::new(),
            sampled: RefCell::default(),
            recorder: None,
            random: RefCell::new(SplitMix64::new(0)),
            only_races: false,
            measured: RefCell::default(),
            races: Cell::new(0),
            records: HashMap::new(),
            kept: Kept::default(),
        }
    }

    /// The experiments of the claim in this mode and with a user's settings: what the report prints.
    pub(crate) fn experiments(&mut self, claim: &Claim) -> Result<Vec<Experiment>, BoxedError> {
        self.experiments = claim.experiments(self.quick, &self.given.words)?;
        self.experiments.iter().try_for_each(Experiment::check)?;
        Ok(self.experiments.clone())
    }

    /// The record of an experiment, which the claims of a paper share.
    pub(crate) fn record(&mut self, experiment: &Experiment) -> Result<Rc<Record>, BoxedError> {
        let name = experiment.to_string();
        if let Some((known, programs, beyond)) = self.records.get(&name) {
            self.beyond.extend(beyond.iter().cloned());
            for program in programs {
                if !self.shown.programs.contains(program) {
                    self.shown.programs.push(program.clone());
                }
            }
            return Ok(Rc::clone(known));
        }
        let record = Rc::new(experiment.run(self.place())?);
        let seen = (Rc::clone(&record), self.inspected(), self.inspector.beyond());
        self.records.insert(name, seen);
        Ok(record)
    }

    /// Seconds of a target switch, measured once.
    pub(super) fn seconds_a_switch(&self) -> Result<f64, BoxedError> {
        let effort = Effort::of(self.quick);
        let measure = || seconds_a_switch(self.machine, effort);
        Ok(*self.kept.once("seconds per target switch".to_owned(), measure)?)
    }

    /// The machine, and inputs that the claims of a paper share.
    pub(crate) fn place(&self) -> Place<'_> {
        Place { machine: self.machine, kept: &self.kept }
    }

    /// Tests whether the times are those of a software rasteriser. Those of a kit are a card's.
    pub fn is_in_software(&self) -> bool {
        self.machine.description().software && self.recorder.is_none()
    }

    /// A cause that holds if software draws; otherwise none.
    pub fn in_software<'c>(&self, cause: &'c str) -> &'c str {
        if self.is_in_software() { cause } else { "" }
    }

    /// Names what is measured, whose races are numbered from here on.
    pub(super) fn measuring(&self, what: String) {
        self.measured.replace(what);
        self.races.set(0);
    }

    /// Name of what is measured, and of its next race.
    pub(super) fn next_race(&self) -> String {
        let (name, races) = (self.measured.borrow().clone(), self.races.get() + 1);
        self.races.set(races);
        if races > 1 { format!("{name} {races}") } else { name }
    }

    /// The rounds of the processes that have raced these works, run by run, this run last; nothing if none has in this run.
    pub(super) fn brought(&self, race: &str, names: &Rc<[String]>) -> Vec<Vec<Vec<Lap>>> {
        let is_it = |samples: &&Samples| samples.row == race && samples.laps(names).is_some();
        let Some(first) = self.brought.iter().find(is_it) else { return Vec::new() };
        let of = |run: &Vec<Samples>| {
            let its = run.iter().filter(|samples| samples.continues(first));
            its.filter_map(|samples| samples.laps(names)).collect::<Vec<_>>()
        };
        let earlier = self.history.iter().map(of).filter(|run| run.len() >= FEWEST);
        earlier.chain([of(&self.brought)]).collect()
    }

    /// Rounds of a race in this process.
    pub(super) fn rounds(&self) -> usize {
        ROUNDS[usize::from(!self.quick)]
    }

    /// A work that a claim compares with the paper's, and that need not fit the paper's card.
    pub fn aside<'w>(&self, mut work: Work<'w>) -> Work<'w> {
        let inspector = Rc::clone(&self.inspector);
        Box::new(move |n| inspector.aside(|| work(n)))
    }

    /// Shows a chart as SVG, with its numbers as CSV next to it. The name gives the file, as in `fig3`.
    pub fn chart(&mut self, name: &str, caption: &str, drawn: &Chart) -> Result<(), BoxedError> {
        self.show(name, "svg", caption, drawn.svg()?.into_bytes());
        self.numbers(drawn.csv());
        Ok(())
    }

    /// Shows bars as SVG, with their numbers as CSV next to it.
    pub fn bars(&mut self, name: &str, caption: &str, drawn: &Bars) -> Result<(), BoxedError> {
        self.show(name, "svg", caption, drawn.svg()?.into_bytes());
        self.numbers(drawn.csv());
        Ok(())
    }

    /// Shows those with some names.
    pub(super) fn some_pictures(&mut self, record: &Record, is_shown: impl Fn(&str) -> bool) {
        let pictures = record.pictures.iter().filter(|picture| is_shown(&picture.name));
        for Picture { name, caption, png, svg, csv } in pictures {
            match svg.is_empty() {
                true => self.figure(name, caption, png.clone()),
                false => self.show(name, "svg", caption, svg.clone().into_bytes()),
            }
            if !csv.is_empty() {
                self.numbers(csv.clone());
            }
        }
        for (name, table) in record.tables.iter().filter(|(name, _)| is_shown(name)) {
            self.table(name, table.clone());
        }
    }

    /// Shows a picture that is already a PNG file.
    pub fn figure(&mut self, name: &str, caption: &str, png: Vec<u8>) {
        self.show(name, "png", caption, png);
    }

    /// Adds the numbers of the last figure, as CSV.
    pub fn numbers(&mut self, csv: String) {
        if let Some(figure) = self.shown.figures.pop() {
            self.shown.figures.push(figure.with_numbers(csv));
        }
    }

    fn show(&mut self, name: &str, extension: &str, caption: &str, content: Vec<u8>) {
        let file = self.file(name, extension);
        self.shown.figures.push(Figure::new(file, caption, content));
    }

    /// Shows a table of the paper's: in the report, and as CSV under its name.
    pub fn table(&mut self, name: &str, table: Table) {
        let file = self.file(name, "csv");
        self.shown.tables.push(Table { file, ..table });
    }

    /// A file of the claim: with a user's inputs it is not the claim's own.
    fn file(&self, name: &str, extension: &str) -> String {
        format!("{}/{name}{}.{extension}", self.paper, slug(&self.given.options()))
    }

    /// Discards the measurements shared by the claims of a paper.
    pub(super) fn forget(&mut self) {
        self.records.clear();
        self.kept = Kept::default();
    }

    /// The programs that have been used since the claim began.
    pub(super) fn inspected(&self) -> Vec<Program> {
        let programs = self.inspector.programs().into_iter();
        let program =
            |one: Rc<ProgramText>| Program { name: one.name.clone(), text: one.fragment.clone() };
        programs.map(program).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Study, Subject, Takes};

    static ONE: Study =
        Study::measuring("a/one", "", Takes::nothing(), &[], |_, _| Ok(Record::new()));
    static OTHER: Study =
        Study::measuring("a/other", "", Takes::nothing(), &[], |_, _| Ok(Record::new()));

    #[test]
    fn a_record_is_shared_by_claims_with_the_same_experiment() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut run = Run::new(&machine);
        let [one, other] = [&ONE, &OTHER].map(|study| study.experiment("").unwrap());
        let first = run.record(&one).unwrap();
        assert!(Rc::ptr_eq(&first, &run.record(&one).unwrap()));
        assert!(!Rc::ptr_eq(&first, &run.record(&other).unwrap()));
        run.forget();
        assert!(!Rc::ptr_eq(&first, &run.record(&one).unwrap()));
    }
}
