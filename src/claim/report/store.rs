//! A report's folder. What earlier runs found is kept, and each result is stored as soon as it is there.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::columns::columns;
use super::json::Entry;
use super::provenance::Provenance;
use super::{Heading, Report, csv, html, markdown};
use crate::base::error::WithKind;
use crate::base::order::ShortSort;
use crate::base::table::{csv_line, read_csv};
use crate::claim::{Claim, Exhibit, Finding, Interval, Paper};
use crate::io::names::system;
use crate::io::reading::read_stored;
use crate::io::{WriteError, create_folder, write_atomically};
use crate::timing::Samples;

/// Number of this form of `report.json`. The first form had no number.
const FORMAT: u32 = 2;
const REPORT: &str = "report.json";
const PROGRAMS: &str = "programs.json";
/// Tables of the samples, with their heads.
const RUNS: (&str, &str) = ("runs.csv", "run,commit,date,machine,processor,seed");
const RACES: (&str, &str) = ("races.csv", "run,row,criterion,programs");
const SAMPLES: (&str, &str) = ("samples.csv", "run,process,row,work,seconds");

/// A folder whose report cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "a message names its fields")]
pub enum StoreError {
    /// A file that cannot be read, or is not part of a report.
    #[error(
        "{}: cannot be read: {what}. The file stays as it is. Choose another folder (--out), or remove it", path.display()
    )]
    Unreadable { path: PathBuf, what: String },
    /// A report in another form.
    #[error(
        "{}: the report has format {found}, and this version of fragstream writes format {FORMAT}. The file stays as \
         it is. Choose another folder (--out), or remove it", path.display()
    )]
    Format { path: PathBuf, found: u32 },
    /// A folder that another run writes to.
    #[error("{}: another run writes its report here. Wait until it ends, or choose another folder (--out)", path.display())]
    Busy { path: PathBuf },
}

impl WithKind for StoreError {}

impl Report {
    /// Reads the report of this name, or in this folder. Without a file the report is empty.
    pub fn read(folder: &Path) -> Result<Self, StoreError> {
        #[derive(Default, Deserialize)]
        struct Form {
            #[serde(default)]
            format: u32,
            claims: Option<IgnoredAny>,
        }
        let folder = &*system(folder);
        let path = if folder.is_file() { folder.to_owned() } else { folder.join(REPORT) };
        let Some(Form { format, claims }) = read(&path)? else {
            return Ok(Self { format: FORMAT, ..Self::default() });
        };
        if claims.is_none() && format == 0 {
            let what = "it is not a report: it has no claims".to_owned();
            return Err(StoreError::Unreadable { path, what });
        }
        if format != FORMAT {
            return Err(StoreError::Format { path, found: format.max(1) });
        }
        let mut report: Self = read(&path)?.unwrap_or_default();
        report.programs = read(&path.with_file_name(PROGRAMS))?.unwrap_or_default();
        Ok(report)
    }
}

/// Reads a file; nothing if it does not exist.
fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    let unreadable = |what: String| StoreError::Unreadable { path: path.to_owned(), what };
    match read_stored(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(error.to_string())),
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|e| unreadable(e.to_string())),
    }
}

/// A folder with a report, for one run at a time.
pub struct Store {
    folder: PathBuf,
    papers: Vec<&'static Paper>,
    /// The report with all that is stored.
    report: Report,
    /// Reports of other machines, each in a folder of its own in this one.
    others: Vec<Report>,
    /// True if a quick run may replace results of a full one.
    replaces: bool,
    run: Provenance,
    start: Instant,
    /// All claims of this run.
    ran: Vec<Entry>,
    /// Held until the end.
    _lock: Option<File>,
}

impl Store {
    /// Opens a folder for a run, and reads what is in it. Results of a full run are replaced by those of a quick one
    /// only if `replaces` is set. Claims that are not among those of `papers` are kept and marked.
    pub fn open(
        folder: &Path,
        papers: &[&'static Paper],
        replaces: bool,
    ) -> Result<Self, StoreError> {
        let lock = lock(folder)?;
        let mut report = Report::read(folder)?;
        for claim in &mut report.claims {
            // Those of a user's file stay.
            let (paper, within, _) = place(papers, claim);
            claim.is_removed = paper != usize::MAX && within == usize::MAX;
        }
        Ok(Self {
            folder: folder.to_owned(),
            papers: papers.to_vec(),
            report,
            others: others(folder)?,
            replaces,
            run: Provenance::default(),
            start: Instant::now(),
            ran: Vec::new(),
            _lock: lock,
        })
    }

    /// Starts the run.
    pub fn start(&mut self, run: Provenance) {
        (self.run, self.start) = (run, Instant::now());
    }

    /// Sets the ratios of its twins, and what they cannot distinguish.
    pub fn measure(&mut self, twins: Vec<Interval>, floor: Option<f64>) {
        (self.run.twins, self.run.floor) = (twins, floor);
    }

    /// A table of samples next to the report, or its head.
    fn table_of(&self, (name, head): (&str, &str)) -> String {
        read_stored(&self.folder.join(name)).unwrap_or_else(|_| format!("{head}\n"))
    }

    /// Adds samples to those of all runs (`samples.csv`), their run to the runs (`runs.csv`), and criterion and programs of
    /// their races (`races.csv`).
    pub fn sample(&mut self, samples: &[Samples]) -> Result<(), WriteError> {
        let [mut runs, mut races, mut rows] =
            [RUNS, RACES, SAMPLES].map(|table| self.table_of(table));
        let Provenance { commit, date, renderer, cpu, seed, .. } = &self.run;
        let own = csv_line([commit, date, renderer, cpu, &seed.to_string()]);
        let is_own =
            |line: &str| line.split_once(',').is_some_and(|(_, run)| run == own.trim_end());
        let number = runs.lines().position(is_own).unwrap_or_else(|| {
            let number = runs.lines().count();
            runs += &format!("{number},{own}");
            number
        });
        for Samples { row, process, criterion, programs, works, .. } in samples {
            let race = format!("{number},{}", csv_line([row, criterion, programs]));
            if !races.contains(&race) {
                races += &race;
            }
            for (work, seconds) in works {
                let line = csv_line([row, work]);
                let line = line.trim_end();
                rows.extend(
                    seconds.iter().map(|one| format!("{number},{process},{line},{one:.4e}\n")),
                );
            }
        }
        let tables = [(RUNS.0, runs), (RACES.0, races), (SAMPLES.0, rows)];
        self.write(tables.map(|(name, text)| (name.to_owned(), text.into_bytes())))
    }

    /// Samples of earlier runs on the machine of this one, run by run. What cannot be read is not part of them.
    pub fn history(&self) -> Vec<Vec<Samples>> {
        let [runs, races, rows] =
            [RUNS, RACES, SAMPLES].map(|table| read_csv(&self.table_of(table)));
        let Provenance { renderer, cpu, .. } = &self.run;
        let mut known: BTreeMap<(usize, usize, &str), Samples> = BTreeMap::new();
        for line in rows.iter().skip(1) {
            let [run, process, row, work, seconds] = &line[..] else { continue };
            let numbers = (run.parse::<usize>(), process.parse::<usize>(), seconds.parse::<f64>());
            let (Ok(number), Ok(process), Ok(seconds)) = numbers else { continue };
            let is_here = runs
                .get(number)
                .is_some_and(|of| [of.get(3), of.get(4)] == [Some(renderer), Some(cpu)]);
            let race =
                races.iter().find(|race| race.len() == 4 && [&race[0], &race[1]] == [run, row]);
            let Some(race) = race.filter(|_| is_here) else { continue };
            let samples = known.entry((number, process, row)).or_insert_with(|| Samples {
                row: row.clone(),
                process,
                criterion: race[2].clone(),
                programs: race[3].clone(),
                ..Samples::default()
            });
            match samples.works.iter_mut().find(|(name, _)| name == work) {
                Some((_, all)) => all.push(seconds),
                None => samples.works.push((work.clone(), vec![seconds])),
            }
        }
        let known: Vec<(usize, Samples)> =
            known.into_iter().map(|((run, ..), samples)| (run, samples)).collect();
        let runs = known.chunk_by(|one, other| one.0 == other.0);
        runs.map(|run| run.iter().map(|(_, samples)| samples.clone()).collect()).collect()
    }

    /// The run, as it is now.
    pub fn run(&self) -> &Provenance {
        &self.run
    }

    /// The claims of this run, those that are not stored included.
    pub fn ran(&self) -> &[Entry] {
        &self.ran
    }

    /// All that is stored.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Stores a claim's result, its figures, tables and programs, and returns its row. The row of the same claim with
    /// the same inputs is replaced, unless this run is quick and the other one was not.
    ///
    /// # Errors
    /// A file or folder that cannot be written. No file is ever left half written.
    pub fn keep(&mut self, mut finding: Finding) -> Result<&Entry, WriteError> {
        let mut entry = Entry::of(&finding, &self.run);
        let is_old = |old: &Entry| (old.row(), &old.inputs) == (entry.row(), &entry.inputs);
        let old = self.report.claims.iter().position(is_old);
        let is_kept = old.is_none_or(|at| self.may_replace(&self.report.claims[at].run));
        entry.is_unstored = !is_kept;
        self.ran.push(entry.clone());
        self.run.update(self.start.elapsed().as_secs_f64(), &self.ran);
        if is_kept {
            old.map(|at| self.report.claims.remove(at));
            self.report.claims.push(entry);
            let figures = finding.figures.iter_mut().flat_map(|figure| figure.take_files());
            self.write(figures)?;
            let tables = finding.tables.iter();
            self.write(tables.map(|table| (table.file.clone(), table.csv().into_bytes())))?;
            let programs = finding.programs.into_iter().map(|one| (one.name, one.text));
            let programs: BTreeMap<String, String> = programs.collect();
            if programs.iter().any(|(name, text)| self.report.programs.get(name) != Some(text)) {
                self.report.programs.extend(programs);
                self.write([(PROGRAMS.to_owned(), json(&self.report.programs))])?;
            }
            self.save()?;
            for together in finding.paper.together {
                // What cannot be drawn, such as bars without a number, is not shown.
                if together.rows.contains(&finding.claim.id)
                    && let Ok(exhibit) = together.exhibit(finding.paper, &self.report.claims)
                {
                    self.show(exhibit)?;
                }
            }
        }
        Ok(&self.ran[self.ran.len() - 1])
    }

    /// Stores an exhibit, unless this run is quick and the run of the same exhibit was not.
    pub fn show(&mut self, mut exhibit: Exhibit) -> Result<(), WriteError> {
        exhibit.run = self.run.name();
        let is_old = |one: &Exhibit, old: &Exhibit| old.figure.file == one.figure.file;
        let old = self.report.exhibits.iter().position(|old| is_old(&exhibit, old));
        if old.is_some_and(|at| !self.may_replace(&self.report.exhibits[at].run)) {
            return Ok(());
        }
        self.write(exhibit.figure.take_files())?;
        // Older reports may have one file twice.
        let at = old.unwrap_or(self.report.exhibits.len());
        self.report.exhibits.retain(|one| !is_old(&exhibit, one));
        self.report.exhibits.insert(at.min(self.report.exhibits.len()), exhibit);
        self.save()
    }

    /// Tests whether this run may replace a result of the run with this name. The interpreter never replaces a driver.
    fn may_replace(&self, name: &str) -> bool {
        let is = |test: fn(&Provenance) -> bool| self.report.run_of(name).is_some_and(test);
        if self.run.is_interpreted() && !is(Provenance::is_interpreted) {
            return false;
        }
        self.replaces || !self.run.is_quick() || is(Provenance::is_quick)
    }

    /// Writes `report.json`: the claims in their order, with their runs and papers.
    fn save(&mut self) -> Result<(), WriteError> {
        let Self { report, papers, run, others, .. } = self;
        report.claims.order_by_key(|claim| place(papers, claim));
        let claims = report.claims.iter().map(|claim| &claim.run);
        let names: Vec<&String> =
            claims.chain(report.exhibits.iter().map(|exhibit| &exhibit.run)).collect();
        report.runs.retain(|old| old.name() != run.name() && names.contains(&&old.name()));
        if names.contains(&&run.name()) {
            report.runs.push(run.clone());
        }
        for paper in papers
            .iter()
            .filter(|paper| report.claims.iter().any(|claim| claim.parts().0 == paper.id))
        {
            report.papers.retain(|old| old.id != paper.id);
            report.papers.push(Heading::of(paper));
        }
        let others: Vec<&Report> = others.iter().collect();
        let Report { claims, runs, .. } = report;
        for entry in claims.iter_mut().filter(|entry| entry.inputs.is_empty()) {
            let its = runs.iter().find(|run| run.name() == entry.run);
            if let (Some(claim), Some(run)) = (claim_of(papers, entry), its)
                && (claim.is_performance() || entry.is_compiled())
            {
                entry.judge_on_its_card(claim, run);
                entry.columns = columns(claim, entry, run, &others);
            }
        }
        self.write([(REPORT.to_owned(), json(&self.report))])
    }

    /// Writes `report.html`, `report.md` and `report.csv` from what is stored.
    pub fn write_pages(&self) -> Result<(), WriteError> {
        let report = &self.report;
        let pages = [
            ("report.html", html::page(report)),
            ("report.md", markdown::claims(&report.claims.iter().collect::<Vec<_>>(), "")),
            ("report.csv", csv(&report.claims)),
        ];
        self.write(pages.map(|(name, text)| (name.to_owned(), text.into_bytes())))
    }

    /// Writes files, and creates their folders.
    fn write(&self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<(), WriteError> {
        files.into_iter().try_for_each(|(name, bytes)| {
            let path = self.folder.join(name);
            let made = path.parent().map_or(Ok(()), create_folder);
            made.map_err(|source| WriteError::Io { path: path.clone(), source })?;
            write_atomically(&path, |out| out.write_all(&bytes))
        })
    }
}

/// Reports of other machines, in the folders of a report's folder and in the order of their names.
pub fn others(folder: &Path) -> Result<Vec<Report>, StoreError> {
    let folders =
        fs::read_dir(system(folder)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.join(REPORT).exists()).collect();
    folders.sort();
    folders.iter().map(|path| Report::read(path)).collect()
}

/// The row of a result.
fn claim_of<'p>(papers: &[&'p Paper], entry: &Entry) -> Option<&'p Claim> {
    let (paper, name) = entry.parts();
    let paper = papers.iter().find(|one| one.id == paper)?;
    paper.claims.iter().find(|claim| claim.id == name)
}

/// Place of a claim: that of its paper, that in the paper; the last one if it is not a claim any more.
fn place(papers: &[&Paper], claim: &Entry) -> (usize, usize, String) {
    let (paper, name) = claim.parts();
    let end = usize::MAX;
    let at = papers.iter().position(|one| one.id == paper);
    let claims = at.map_or(&[][..], |at| papers[at].claims.all());
    let within = claims.iter().position(|one| one.id == name);
    (at.unwrap_or(end), within.unwrap_or(end), claim.anchor())
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let text = serde_json::to_string_pretty(value);
    let text = text.expect("strings with string keys can always be written as JSON");
    (text + "\n").into_bytes()
}

/// Locks a folder until the result is dropped. A file system without locks is not locked, nor is a folder on Windows.
fn lock(folder: &Path) -> Result<Option<File>, StoreError> {
    #[allow(clippy::disallowed_methods)]
    let Ok(opened) = File::open(system(folder)) else {
        return Ok(None);
    };
    match opened.try_lock() {
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy { path: folder.to_owned() }),
        _ => Ok(Some(opened)),
    }
}
