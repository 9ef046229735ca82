//! `fragstream reproduce`: checks the papers' claims and reports the results.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::builder::StringValueParser;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Value, json};

use crate::arguments::GridSize;
use crate::base::error::counted;
use crate::base::nearest::nearest;
use crate::base::random::SplitMix64;
use crate::claim::kit::Kit;
use crate::claim::report::Report;
use crate::claim::report::compare::compare;
use crate::claim::report::json::Entry;
use crate::claim::report::provenance::Provenance;
use crate::claim::report::store::Store;
use crate::claim::report::terminal::{Look, line, table};
use crate::claim::{Checker, Chosen, Claim, Given, Paper, Run, choose, criterion, rows, twins};
use crate::experiments::{ALL, subjects};
use crate::io::{read_text, write_atomically};
use crate::papers::{PAPERS, pages};
use crate::settings::{Field, Flat};
use crate::timing::Samples;

use super::super::arguments::sweeps;
use super::super::failure::{Failure, Status};
use super::super::interrupt;
use super::super::layouts;
use super::super::options;
use super::super::output::{Folder, is_coloured, note};
use super::super::session::{Progress, Session};
use super::kit::ROWS;
use super::processes::{PROCESSES, Processes, race};

/// Check the papers' claims and report the results
///
/// Prints a table, and writes report.html, report.json, report.csv, report.md, the figures and the tables. A report
/// of earlier runs is extended: each result has its own commit, date, mode and machine, and a quick run does not
/// replace results of a full one. Results are stored as they come, so that an interrupted run keeps them. The exit
/// code is 1 if a claim of the class `exact` or `tolerance` was not reproduced in this run.
#[derive(Args)]
pub struct Arguments {
    /// Papers or claims, as `fragstream list` names them; FILE.toml with claims of your own, for which figures/replicate.md
    /// is a guide; or `layouts`, which compares layouts without a claim [default: all]
    #[arg(value_name = "PAPER|ID|FILE.toml")]
    names: Vec<String>,

    /// Smaller inputs; timings are measured, not judged; llvmpipe draws on one core
    #[arg(long)]
    quick: bool,

    /// Folder of the report and the figures; what earlier runs found there is kept
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: Folder,

    /// Store results of a quick run even where the report has those of a full one
    #[arg(long)]
    replace: bool,

    /// Print statement, evidence and cause below each claim; for up to five claims they are always printed
    #[arg(long)]
    why: bool,

    /// Judge the times of a card that has run a kit (`fragstream kit`), instead of measuring; give the card a folder of its own (--out)
    #[arg(long, value_name = "kit.csv", conflicts_with = "compare")]
    kit: Option<PathBuf>,

    /// Instead of a run, compare the report in the folder (--out) with these reports, by today's rules: print the
    /// table of the sentences about performance, and write compare.md and compare.csv there
    #[arg(long, value_name = "REPORT", num_args = 1..)]
    compare: Vec<PathBuf>,

    /// Write the pages of the clone in this folder from figures/report.json
    #[arg(long, hide = true)]
    pages: bool,

    /// Race the timed works of these rows as this process of a run, and print their samples; without rows, the twins
    #[arg(long, hide = true, value_name = "K")]
    process: Option<u64>,

    /// Seed of the orders of rows and works
    #[arg(long, hide = true, value_name = "N")]
    order: Option<u64>,

    #[command(flatten)]
    inputs: Given,
}

/// Inputs that replace the defaults of the claims: those with a help. Their words are read with [`settings`].
#[derive(Args)]
#[command(next_help_heading = "Your inputs")]
struct Inputs {
    /// Mesh instead of the scan, for the entries of its matrix, for smoothing, and for the rates
    #[arg(long, value_name = "MESH")]
    input: Option<PathBuf>,

    /// Number of nodes of the largest grid for cycles (in bolz2003 2^n + 1), of the jet, and of kruger2003's
    /// solvers; number of cells of the water and of the dam break
    #[arg(long, value_name = "N|WxH")]
    size: Option<GridSize>,

    /// Sweeps of a V-cycle before and after the coarser grid
    #[arg(long, value_name = "N,N", value_parser = sweeps)]
    sweeps: Option<[usize; 2]>,

    /// Number of levels of geveler2011's CIRCLE
    #[arg(long, value_name = "N")]
    levels: Option<String>,
}

/// The settings of all claims and of all commands, each name once. If no named claim takes a setting, the error lists the
/// ones that they take.
fn settings() -> Vec<Field> {
    let usual = ["input", "size"].map(|name| Field::new(name, Value::Null));
    let claims = PAPERS.iter().flat_map(|paper| paper.claims);
    let commands = ALL.iter().flat_map(|subject| subject.fields());
    let fields =
        usual.into_iter().chain(claims.flat_map(|claim| claim.row.fields())).chain(commands);
    let named: BTreeMap<_, _> = fields.map(|field| (field.name().to_owned(), field)).collect();
    named.into_values().collect()
}

/// The inputs; `with_settings` adds the settings of the claims' experiments.
impl Args for Given {
    fn augment_args(command: Command) -> Command {
        Inputs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut words = options::words(&settings(), matches);
        if let Some([pre, post]) = matches.get_one::<[usize; 2]>("sweeps") {
            let sweeps = [("pre", pre), ("post", post)];
            words.extend(sweeps.map(|(name, number)| [name.to_owned(), number.to_string()]));
        }
        Ok(Self { words })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds the settings of the claims' experiments as hidden options. Fields of one name may have several types: their words are
/// checked with the claims.
pub fn with_settings(command: Command) -> Command {
    let known: Vec<_> = command.get_arguments().map(|known| known.get_id().clone()).collect();
    let mut fields = settings();
    fields.retain(|field| known.iter().all(|known| known != field.name()));
    options::augment(command, fields, &Flat::new()).mut_args(|arg| {
        if known.contains(arg.get_id()) {
            return arg;
        }
        let long = arg.get_id().as_str().replace('_', "-");
        let arg = arg.long(long).hide(true).help_heading("Your inputs");
        match arg.get_action().takes_values() {
            true => arg.value_parser(StringValueParser::new()),
            false => arg,
        }
    })
}

/// Most settings of claims that the help shows.
const SHOWN: usize = 20;

/// Shows in the help the settings of the claims that a command line names, unless there are many.
pub fn with_settings_of(grammar: Command, words: impl Iterator<Item = String>) -> Command {
    let names = words.filter(|word| word.contains('/'));
    let named = names.flat_map(|name| choose(PAPERS, &[name]).unwrap_or_default());
    let options: BTreeSet<String> = named.flat_map(|(_, claim)| claim.options()).collect();
    grammar.mut_subcommand("reproduce", |command| {
        command.mut_args(|arg| {
            let option = format!("--{}", arg.get_long().unwrap_or_default());
            let is_shown = options.contains(&option) && options.len() <= SHOWN;
            if is_shown { arg.hide(false) } else { arg }
        })
    })
}

/// Smallest grid for cycles.
const SMALLEST: usize = 5;

/// Checks that one of the chosen claims uses each input.
fn check_inputs(given: &Given, chosen: &[Chosen], is_quick: bool) -> Result<(), Failure> {
    for (paper, claim) in chosen {
        let experiments = claim.experiments(is_quick, &given.taken(claim).words);
        experiments
            .map_err(|error| Failure::input(format_args!("{}/{}: {error}", paper.id, claim.id)))?;
    }
    for word in &given.words {
        let one = Given { words: vec![word.clone()] };
        let takes = |claim: &Claim| !one.taken(claim).words.is_empty();
        if chosen.iter().any(|(_, claim)| takes(claim)) {
            continue;
        }
        let own: BTreeSet<String> = chosen.iter().flat_map(|(_, claim)| claim.options()).collect();
        let own = match Vec::from_iter(own).join(", ") {
            none if none.is_empty() => "They take none".to_owned(),
            own => format!("They take {own}"),
        };
        let others = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<String> {
            let papers = PAPERS.iter().filter(|paper| is_wanted(paper.id));
            let names = papers.flat_map(|paper| {
                let claims = paper.claims.iter().filter(|claim| takes(claim));
                claims.map(|claim| format!("{}/{}", paper.id, claim.id))
            });
            names.collect()
        };
        // Those of the same papers, if there are any.
        let near = others(&|id| chosen.iter().any(|(paper, _)| paper.id == id));
        let all = if near.is_empty() { others(&|_| true) } else { near };
        return Err(Failure::input(format_args!(
            "none of these claims uses {}. {own}. Name one that does ({}), or leave it out",
            one.options(),
            all.join(", ")
        )));
    }
    if given.grid().is_some_and(|grid| grid < SMALLEST) {
        return Err(Failure::input(format_args!(
            "--size needs at least {SMALLEST} nodes per side"
        )));
    }
    Ok(())
}

/// Maximum number of claims of which everything is printed by default.
const FEW: usize = 5;
/// Columns of the table where there is no terminal.
const WIDE: usize = 100;
const DEFAULT_FOLDER: &str = "report";
/// Name of the exhibits that the report shows without a claim.
const LAYOUTS: &str = "layouts";

impl Arguments {
    /// All claims in quick mode.
    pub fn quick() -> Self {
        Arguments {
            names: Vec::new(),
            quick: true,
            out: Folder::new(DEFAULT_FOLDER),
            replace: false,
            why: false,
            compare: Vec::new(),
            kit: None,
            pages: false,
            process: None,
            order: None,
            inputs: Given::default(),
        }
    }
}

/// The store of a run, also for an interrupt.
type Shared = Arc<Mutex<Store>>;

fn open(store: &Shared) -> MutexGuard<'_, Store> {
    // A result that is kept is complete, even if the next one panicked.
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Checks the claims, stores each result as soon as it is there, and prints their table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    if arguments.pages {
        return pages::write(Path::new(".")).map_err(Failure::input);
    }
    if !arguments.compare.is_empty() {
        return compared(arguments, session);
    }
    if let Some(process) = arguments.process {
        let (files, names) = files(&arguments.names);
        let (papers, _) = papers(files)?;
        let rows = if names.is_empty() { Vec::new() } else { chosen(&papers, &names)? };
        let machine = session.machine()?;
        let mut run = Run::new(&machine);
        (run.quick, run.given) = (arguments.quick, arguments.inputs.clone());
        return race(&machine, run, rows, [arguments.order.unwrap_or_default(), process]);
    }
    let kit = arguments.kit.as_deref().map(|path| kit(path, arguments.quick)).transpose()?;
    let (shown, named): (Vec<_>, Vec<_>) =
        (arguments.names.iter().cloned()).partition(|name| name == LAYOUTS);
    let (papers, mut named) = papers(named)?;
    if kit.is_some() && named.is_empty() {
        named.extend(ROWS.map(str::to_owned));
    }
    let chosen =
        if shown.is_empty() || !named.is_empty() { chosen(&papers, &named)? } else { Vec::new() };
    check_inputs(&arguments.inputs, &chosen, arguments.quick)?;
    arguments.out.make()?;
    let page = arguments.out.path().join("report.html");
    let store = Store::open(arguments.out.path(), &papers, arguments.replace)?;
    let store = Arc::new(Mutex::new(store));
    let processes = Processes::default();
    interrupt::before_end({
        let (store, page, all) = (Arc::clone(&store), page.clone(), chosen.len());
        let processes = processes.clone();
        move || {
            processes.end();
            let store = open(&store);
            let (count, page) = (store.ran().len(), page.display());
            note(match write_pages(&store) {
                Ok(()) => format!(
                    "\ninterrupted after {count} of {all} claims. All that was found: {page}"
                ),
                Err(failure) => format!("\ninterrupted: {}", failure.message),
            });
            ControlFlow::Break(())
        }
    });
    let exhibits = kit.is_none() && (arguments.names.is_empty() || !shown.is_empty());
    let checked = check(arguments, chosen, (exhibits, kit), session, (&store, &processes));
    let store = open(&store);
    let written = write_pages(&store);
    checked.and(written)?;

    let claims = store.ran();
    session.print_as(&json!({ "run": store.run(), "claims": claims }), |out| {
        let (width, is_coloured) = (out.columns(WIDE), is_coloured());
        let why = arguments.why || claims.len() <= FEW;
        write!(out, "{}", table(claims, Look { width, is_coloured, why }))
    })?;
    for warning in &store.run().warnings {
        note(warning);
    }
    let unstored = claims.iter().filter(|claim| claim.is_unstored).count();
    if unstored > 0 {
        let (has, remedy) = match store.run().is_interpreted() {
            true => ("a driver", "Choose another folder (--out)"),
            false => ("a full run", "Add --replace"),
        };
        note(format_args!(
            "{} not stored: the report has results of {has}. {remedy} to store the new ones",
            counted(unstored, "claim")
        ));
    }
    note(format_args!("report: {}", page.display()));
    judge(claims)
}

/// Compares reports of several machines.
fn compared(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let folder = arguments.out.path();
    let own = Report::read(folder).map_err(Failure::input)?;
    let mut reports = Vec::from_iter(Some(own).filter(|own| !own.claims.is_empty()));
    for path in &arguments.compare {
        let other = Report::read(path).map_err(Failure::input)?;
        if other.claims.is_empty() {
            return Err(Failure::input(format_args!(
                "{}: has no report. Give the report.json of a run, or its folder",
                path.display()
            )));
        }
        reports.push(other);
    }
    if reports.len() < 2 {
        return Err(Failure::input(format_args!(
            "{}: has no report to compare with. Give two reports (--compare), or the folder of a run (--out)",
            folder.display()
        )));
    }
    let mut table = compare(PAPERS, &reports.iter().collect::<Vec<_>>());
    let chosen = chosen(PAPERS, &arguments.names)?;
    let is_chosen = |row: &Vec<String>| {
        chosen.iter().any(|(paper, claim)| row[0] == format!("{}/{}", paper.id, claim.id))
    };
    table.rows.retain(is_chosen);
    if table.rows.is_empty() {
        let what = "none of these reports has a result of such a sentence. Name other claims, or give the reports of full runs";
        return Err(Failure::input(what));
    }
    arguments.out.make()?;
    for (name, text) in [("compare.md", table.markdown()), ("compare.csv", table.csv())] {
        write_atomically(&folder.join(name), |out| out.write_all(text.as_bytes()))?;
    }
    session.print_as(&json!({ "columns": table.head, "rows": table.rows }), |out| {
        write!(out, "{}", table.markdown())
    })
}

/// Writes the pages of what is stored, if there is anything.
fn write_pages(store: &Store) -> Result<(), Failure> {
    let Report { claims, exhibits, .. } = store.report();
    if claims.is_empty() && exhibits.is_empty() {
        return Ok(());
    }
    Ok(store.write_pages()?)
}

/// Checks the claims and makes the exhibits, and stores them.
fn check(
    arguments: &Arguments,
    chosen: Vec<Chosen>,
    (exhibits, kit): (bool, Option<Kit>),
    session: &Session,
    (store, processes): (&Shared, &Processes),
) -> Result<(), Failure> {
    // On small inputs, distributing a pass over the cores takes longer than drawing it.
    let machine = session.machine_for(if arguments.quick { 0 } else { usize::MAX })?;
    if chosen.len() > FEW {
        session.forecast(Duration::MAX)?;
    }
    let mut record = Provenance::now();
    let description = machine.description();
    record.renderer.clone_from(&description.renderer);
    record.version.clone_from(&description.version);
    record.backend = machine.backend().to_owned();
    record.mode = (if arguments.quick { "quick" } else { "full" }).to_owned();
    let races = !arguments.quick && machine.interpreter().is_none() && kit.is_none();
    record.seed = arguments.order.unwrap_or_else(seed);
    record.processes = if races { PROCESSES } else { 0 };
    if let Some(kit) = &kit {
        kit.describe(&mut record);
    }
    let seed = record.seed;
    open(store).start(record);
    let history = if races { open(store).history() } else { Vec::new() };
    let progress = Progress::of_steps(chosen.len() as u64);
    let mut run = Run::new(&machine);
    run.quick = arguments.quick;
    run.given = arguments.inputs.clone();
    run.random = RefCell::new(SplitMix64::new(seed));
    let inputs = run.given.options();
    let is_missing = Cell::new(false);
    if kit.is_some() {
        run.recorder = Some(Box::new(|[race, _], _, _| {
            is_missing.set(true);
            Err(format!("the kit has no times of {race}").into())
        }));
    }
    let mut checker = Checker::new(run);
    checker.remember(history);
    if let Some(kit) = kit {
        open(store).sample(&kit.samples)?;
        kit.refused.iter().for_each(note);
        checker.bring(kit.samples);
    }
    let criterion = |race: &str| {
        let row = race.split(' ').next();
        let is_it = |(paper, claim): &&Chosen| row == Some(&format!("{}/{}", paper.id, claim.id));
        let found = chosen.iter().find(is_it);
        found.and_then(|(_, claim)| criterion::of_row(claim).ok()).unwrap_or_default()
    };
    let raced = |mut rows: Vec<String>, what: &str| -> Result<Vec<Samples>, Failure> {
        let (mut all, are_twins) = (Vec::new(), rows.is_empty());
        for process in 1..=PROCESSES {
            if rows.is_empty() && !are_twins {
                break;
            }
            progress.say(|| format!("{what}, process {process} of {PROCESSES}"));
            let mut command = std::process::Command::new(std::env::current_exe()?);
            command.args(["reproduce", "--backend", machine.backend()]).args(&rows);
            command.args(files(&arguments.names).0);
            command.arg(format!("--process={process}")).arg(format!("--order={seed}"));
            command.args(arguments.inputs.arguments());
            let (mut samples, reason) = processes.samples(&mut command);
            let is_whole = reason.is_none();
            if let Some(reason) = reason.filter(|_| interrupt::arrived().is_none()) {
                note(format_args!(
                    "{what}: process {process} failed ({reason}). Its finished races are kept"
                ));
            }
            for one in &mut samples {
                (one.process, one.criterion) = (process, criterion(&one.row));
            }
            // A row that raced nothing in the first process races nothing.
            if is_whole && process == 1 {
                rows.retain(|row| samples.iter().any(|samples| samples.check == *row));
            }
            open(store).sample(&samples)?;
            all.extend(samples);
        }
        Ok(all)
    };
    for (at, &(paper, claim)) in chosen.iter().enumerate() {
        if races && (at == 0 || chosen[at - 1].0.id != paper.id) {
            checker.begin(paper);
            let in_software = description.software;
            let is_met = |claim: &Claim| claim.needs.is_none_or(|needs| needs.is_met(in_software));
            let its = chosen
                .iter()
                .filter(|(one, claim)| one.id == paper.id && claim.is_timed() && is_met(claim));
            let rows: Vec<String> =
                its.map(|(_, row)| format!("{}/{}", paper.id, row.id)).collect();
            if !rows.is_empty() && checker.floor.is_none() {
                let ratios = twins::ratios(&raced(Vec::new(), "twins")?);
                checker.floor = twins::floor(&ratios);
                open(store).measure(ratios, checker.floor);
            }
            if !rows.is_empty() {
                checker.bring(raced(rows, paper.id)?);
            }
        }
        progress.say(|| format!("{}/{}", paper.id, claim.id));
        let finding = checker.check((paper, claim)).map_err(|error| {
            Failure::input(format_args!("{}/{} with {inputs}: {error}", paper.id, claim.id))
        })?;
        if is_missing.take() {
            note(format_args!("{}: {}", finding.id(), finding.cause()));
            continue;
        }
        let mut store = open(store);
        let claim = store.keep(finding)?;
        if !io::stderr().is_terminal() {
            note(line(claim));
        }
        progress.step();
    }
    if exhibits {
        progress.say(|| "layouts side by side".to_owned());
        match layouts::exhibits(&machine, arguments.quick) {
            Ok(shown) => {
                shown.into_iter().try_for_each(|exhibit| open(store).show(exhibit))?;
            }
            // The claims are kept even so.
            Err(failure) => note(format_args!("no layouts: {}", failure.message)),
        }
    }
    Ok(())
}

/// What a card has done with a kit, whose works have the sizes of this mode.
fn kit(path: &Path, is_quick: bool) -> Result<Kit, Failure> {
    let kit = Kit::of_csv(&read_text(path)?).map_err(|what| Failure::in_file(path, what))?;
    let [mode, remedy] = if is_quick { ["quick", "Leave out"] } else { ["full", "Add"] };
    if kit.mode != mode {
        let what = format!("the kit was made in {} mode. {remedy} --quick", kit.mode);
        return Err(Failure::in_file(path, what));
    }
    Ok(kit)
}

/// A seed by the clock.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_millis() as u64 % 1_000_000)
}

/// Fails if an exact or tolerance claim failed.
fn judge(claims: &[Entry]) -> Result<(), Failure> {
    let failed = claims.iter().filter(|claim| claim.is_failure());
    let failed: Vec<&str> = failed.map(|claim| claim.id.as_str()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let message = format!(
        "exact or tolerance claims that failed: {}. See the report for the causes",
        failed.join(", ")
    );
    Err(Failure::new(Status::Claim, message))
}

/// The files of a user's claims among these names, and the others.
fn files(names: &[String]) -> (Vec<String>, Vec<String>) {
    names.iter().cloned().partition(|name| name.ends_with(".toml"))
}

/// The papers, with those of the files among these names, and the names with that of such a paper for its file.
pub fn papers(mut names: Vec<String>) -> Result<(Vec<&'static Paper>, Vec<String>), Failure> {
    let mut papers = PAPERS.to_vec();
    for name in names.iter_mut().filter(|name| name.ends_with(".toml")) {
        let own = rows::read(Path::new(name), &papers, &subjects()).map_err(Failure::input)?;
        own.id.clone_into(name);
        papers.push(own);
    }
    Ok((papers, names))
}

/// The claims with these names; all if there are none.
pub fn chosen(papers: &[&'static Paper], names: &[String]) -> Result<Vec<Chosen>, Failure> {
    choose(papers, names).map_err(|name| {
        let ids = papers.iter().flat_map(|paper| {
            let claims = paper.claims.iter();
            let claims = claims.map(|claim| format!("{}/{}", paper.id, claim.id));
            claims.chain([paper.id.to_owned()])
        });
        let ids: Vec<String> = ids.collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let close = match nearest(name, &ids).as_slice() {
            [] => String::new(),
            close => format!(" (did you mean {}?)", close.join(" or ")),
        };
        Failure::input(format_args!(
            "no paper or claim is named '{name}'{close}. See `fragstream list`"
        ))
    })
}

/// The announcement of the default command, with its duration.
pub fn announcement() -> String {
    let claims: usize = PAPERS.iter().map(|paper| paper.claims.len()).sum();
    format!(
        "fragstream reproduce --quick: checks {claims} claims of the papers on small inputs and writes \
         {DEFAULT_FOLDER}/report.html; on two cores about a minute (fragstream --help for the rest)"
    )
}
