//! `fragstream reproduce`: runs experiments and reports what became of the papers' claims.

mod apart;
mod inspected;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::claim::papers::PAPERS;
use crate::claim::table::table;
use crate::claim::{Experiment, Finding, Given, Options, Parameter, Report, Verdict};
use crate::experiments::experiments;
use crate::io::read_valid_mesh;
use crate::nearest::nearest;
use crate::stream::Machine;
use crate::timing::Effort;

use super::super::arguments::size::GridSize;
use super::super::arguments::sweeps;
use super::super::failure::{Failure, Status};
use super::super::layouts;
use super::super::session::{Session, Sign};

/// Run the papers' experiments and report what became of their claims.
///
/// Prints a table, and writes report.json, report.html, report.md and the figures. Ends with exit code
/// 1 if a claim of the class `exact` or `tolerance` was not reproduced.
#[derive(Args)]
pub struct Arguments {
    /// Papers, experiments or claims, as `fragstream list` names them, or `layouts`, which shows layouts
    /// side by side without a claim; all if none is given
    #[arg(value_name = "PAPER|ID")]
    names: Vec<String>,

    /// Smaller inputs and fewer repetitions
    #[arg(long)]
    quick: bool,

    /// The folder for the reports and the figures; files of their names in it are replaced
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    /// Perform the experiments that standard input names, for another process of this program
    #[arg(long, hide = true)]
    apart: bool,
}

/// What takes the place of the experiments' own inputs.
#[derive(Args, Default)]
#[command(next_help_heading = "Inputs of yours")]
struct Inputs {
    /// A mesh instead of the scan, for the entries of its matrix, its smoothing, and the rates
    #[arg(long, value_name = "MESH")]
    mesh: Option<PathBuf>,

    /// Nodes of a side of the largest grid that cycles are tried on, in bolz2003 2^n + 1; cells of a side
    /// of the water and of the broken dam
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(5..))]
    grid: Option<u16>,

    /// Nodes of a row and of a column, for the jet, for the composition of stencils, and for the iterates
    /// of kruger2003's solvers
    #[arg(long, value_name = "WxH")]
    size: Option<GridSize>,

    /// Sweeps of a V-cycle before and after the coarser grid
    #[arg(long, value_name = "N,N", value_parser = sweeps)]
    sweeps: Option<[usize; 2]>,

    /// Levels of refinement of geveler2011's CIRCLE for Q1; Q2 has one less, and as many unknowns
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(4..=9))]
    levels: Option<u8>,
}

impl Inputs {
    /// For the library.
    fn given(&self) -> Given {
        Given {
            mesh: self.mesh.clone(),
            grid: self.grid.map(usize::from),
            size: self.size.map(GridSize::sides),
            sweeps: self.sweeps,
            levels: self.levels.map(usize::from),
        }
    }
}

/// That each input is taken by one of the experiments.
fn check_inputs(given: &Given, chosen: &[Experiment<Machine>]) -> Result<(), Failure> {
    for parameter in Parameter::ALL {
        let takes = |e: &Experiment<Machine>| parameter.taken_by().contains(&e.id);
        if given.value(parameter).is_some() && !chosen.iter().any(takes) {
            let (name, takers) = (parameter.name(), parameter.taken_by().join(", "));
            let named: Vec<&str> = chosen.iter().map(|e| e.id).collect();
            let what = format!(
                "{} takes no {name}, which is for {takers}; name one of them, or leave it out",
                named.join(", ")
            );
            return Err(Failure::input(what));
        }
    }
    if let Some(mesh) = &given.mesh {
        read_valid_mesh(mesh)?;
    }
    Ok(())
}

const DEFAULT_FOLDER: &str = "report";
/// The name of what the report shows without a claim.
const LAYOUTS: &str = "layouts";

impl Arguments {
    /// All experiments in quick mode.
    pub fn quick() -> Self {
        Arguments {
            names: Vec::new(),
            quick: true,
            out: DEFAULT_FOLDER.into(),
            inputs: Inputs::default(),
            apart: false,
        }
    }
}

/// Runs the experiments, writes the report and prints its table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let (shown, named): (Vec<_>, Vec<_>) =
        (arguments.names.iter().cloned()).partition(|name| name == LAYOUTS);
    let chosen = match shown.is_empty() || !named.is_empty() {
        true => choose(&named, experiments())?,
        false => Vec::new(),
    };
    let options = Options {
        quick: arguments.quick,
        out: arguments.out.clone(),
        given: arguments.inputs.given(),
    };
    if arguments.apart {
        return apart::serve(&chosen, &options, session);
    }
    check_inputs(&options.given, &chosen)?;
    let mut machine = session.machine()?;
    // A folder that cannot be made is better known before the work than after it.
    let out = &options.out;
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::in_file(out, format!("cannot make this folder: {error}")))?;
    let start = Instant::now();
    let sign = Sign::of_steps(chosen.len() as u64);
    let mut found = vec![None; chosen.len()];
    // A ledger is to show all that was done.
    if !session.is_watched() {
        let side_by_side = || sign.say(|| "at what times nothing, side by side".to_owned());
        side_by_side();
        found = apart::findings(&machine, &chosen, &options, || {
            sign.step();
            side_by_side();
        });
    }
    let mut findings = Vec::new();
    for (experiment, found) in chosen.iter().zip(found) {
        if let Some(found) = found {
            findings.extend(asked_for(&named, experiment, found));
            continue;
        }
        sign.say(|| format!("at {}, {}", experiment.id, experiment.title));
        let found = inspected::perform(experiment, &mut machine, &options)?;
        findings.extend(asked_for(&named, experiment, found));
        sign.step();
    }
    let mut exhibits = Vec::new();
    if arguments.names.is_empty() || !shown.is_empty() {
        sign.say(|| "at layouts side by side".to_owned());
        match layouts::exhibits(&machine, Effort::of(options.quick)) {
            Ok(shown) => exhibits = shown,
            // They are no reason to lose the claims.
            Err(failure) => _ = writeln!(io::stderr(), "no layouts: {}", failure.message),
        }
    }
    drop(sign);
    let report = Report {
        machine: describe(&machine, &options, start),
        findings,
        exhibits,
    };
    report.write(&options.out)?;

    let out = &mut session.out;
    write!(out, "{}", table(&report.findings))?;
    let count = |verdict| report.count(verdict);
    let not_run = match count(Verdict::NotRun) {
        0 => String::new(),
        count => format!(", {count} not run"),
    };
    writeln!(
        out,
        "{} reproduced, {} differ, {} not reproduced{not_run}; report: {}",
        count(Verdict::Reproduced),
        count(Verdict::Differs),
        count(Verdict::NotReproduced),
        options.out.join("report.html").display()
    )?;
    judge(&report)
}

/// An error where an exact or tolerance claim failed.
fn judge(report: &Report) -> Result<(), Failure> {
    let failed: Vec<&str> = report.failures().map(|finding| finding.claim.id).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let message = format!(
        "exact or tolerance claims that failed: {}; the report says why",
        failed.join(", ")
    );
    Err(Failure::new(Status::Claim, message))
}

/// The experiments that any of the names asks for, in the registry's order; all for no name.
pub fn choose(
    names: &[String],
    experiments: Vec<Experiment<Machine>>,
) -> Result<Vec<Experiment<Machine>>, Failure> {
    if names.is_empty() {
        return Ok(experiments);
    }
    for name in names {
        if !experiments.iter().any(|e| e.answers_to(name)) {
            return Err(unknown(name, &experiments));
        }
    }
    let asked_for = |e: &Experiment<Machine>| names.iter().any(|name| e.answers_to(name));
    Ok(experiments.into_iter().filter(asked_for).collect())
}

/// What was found of the claims that are asked for: by their own names, or by that of the experiment or the
/// paper, if no claim has it. The first has the programs.
fn asked_for(
    names: &[String],
    experiment: &Experiment<Machine>,
    mut found: Vec<Finding>,
) -> Vec<Finding> {
    let is_claim = |name: &str| experiment.claims.iter().any(|claim| claim.id == name);
    let is_asked_for = |claim: &str| {
        let is_its = |name: &String| match is_claim(name) {
            true => name == claim,
            false => experiment.answers_to(name),
        };
        names.is_empty() || names.iter().any(is_its)
    };
    let programs = found.first().map(|first| first.programs.clone());
    found.retain(|finding| is_asked_for(finding.claim.id));
    if let Some((first, programs)) = found.first_mut().zip(programs) {
        first.programs = programs;
    }
    found
}

fn unknown(name: &str, experiments: &[Experiment<Machine>]) -> Failure {
    let mut names: Vec<&str> = PAPERS.iter().map(|paper| paper.id).collect();
    for experiment in experiments {
        names.push(experiment.id);
        names.extend(experiment.claims.iter().map(|claim| claim.id));
    }
    let close = match nearest(name, &names).as_slice() {
        [] => String::new(),
        close => format!(" (did you mean {}?)", close.join(" or ")),
    };
    Failure::input(format_args!(
        "no paper, experiment or claim is named '{name}'{close}; see `fragstream list`"
    ))
}

/// What the run was made on.
fn describe(machine: &Machine, options: &Options, start: Instant) -> BTreeMap<String, String> {
    let description = machine.context().description();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mode = if options.quick { "quick" } else { "full" };
    let inputs = Parameter::ALL.into_iter().filter_map(|parameter| {
        let value = options.given.value(parameter)?;
        Some(format!("{} {value}", parameter.name()))
    });
    let inputs: Vec<String> = inputs.collect();
    let seconds = start.elapsed().as_secs_f64();
    let entries = [
        ("renderer", description.renderer.clone()),
        ("version", description.version.clone()),
        ("cpu", cpu().unwrap_or_default()),
        ("commit", env!("FRAGSTREAM_COMMIT").to_owned()),
        ("cores", cores.to_string()),
        ("mode", mode.to_owned()),
        ("inputs", inputs.join(" ")),
        ("seconds", format!("{seconds:.1}")),
        ("fragstream", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    let known = entries.into_iter().filter(|(_, value)| !value.is_empty());
    known
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The name of the CPU, where the system tells: Linux.
fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// What `fragstream` without a command does, and how long it takes.
pub fn announcement() -> String {
    let experiments = experiments();
    let claims: usize = experiments.iter().map(|e| e.claims.len()).sum();
    format!(
        "fragstream reproduce --quick: {} experiments check {claims} claims of {} papers on small inputs and \
         write {DEFAULT_FOLDER}/report.html; on two cores a minute and a half (fragstream --help for the rest)",
        experiments.len(),
        PAPERS.len()
    )
}

#[cfg(test)]
mod tests {
    use crate::claim::{Claim, Class, JudgedOn, Program, Variant};

    use super::*;

    const EXACT: Claim = Claim {
        id: "bolz2003/rectangle",
        class: Class::Exact,
        variant: Variant::Paper,
        judged_on: JudgedOn::Count,
        section: "§3.2.2",
        statement: "The best rectangle.",
        paper: "26x18",
    };
    const SHAPE: Claim = Claim {
        id: "bolz2003/rates",
        class: Class::Shape,
        variant: Variant::Paper,
        judged_on: JudgedOn::Measurement,
        ..EXACT
    };

    fn experiments() -> Vec<Experiment<Machine>> {
        let experiment = |id, claims| Experiment {
            id,
            section: "§3",
            title: "",
            claims,
            run: |_, _| Ok(Vec::new()),
        };
        vec![
            experiment("bolz2003/staircase", &[EXACT]),
            experiment("bolz2003/speed", &[SHAPE]),
        ]
    }

    fn chosen(names: &[&str]) -> Result<Vec<&'static str>, String> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        match choose(&names, experiments()) {
            Ok(chosen) => Ok(chosen.iter().map(|experiment| experiment.id).collect()),
            Err(failure) => {
                assert_eq!(failure.status, Status::Input);
                Err(failure.message)
            }
        }
    }

    #[test]
    fn experiments_are_chosen_by_paper_id_or_claim_once_and_in_their_order() {
        let both = ["bolz2003/staircase", "bolz2003/speed"];
        assert_eq!(chosen(&[]).unwrap(), both);
        assert_eq!(chosen(&["bolz2003"]).unwrap(), both);
        assert_eq!(
            chosen(&["bolz2003/rates", "bolz2003/rectangle"]).unwrap(),
            both
        );
        assert_eq!(
            chosen(&["bolz2003/speed", "bolz2003/rates"]).unwrap(),
            both[1..]
        );
    }

    #[test]
    fn of_claims_checked_together_those_asked_for_are_reported_and_the_first_has_the_programs() {
        let mut experiments = experiments();
        experiments[1].claims = &[EXACT, SHAPE];
        let experiment = &experiments[1];
        let program = Program {
            name: "a".to_owned(),
            text: "b".to_owned(),
        };
        let asked = |names: &[&str]| -> Vec<(&str, usize)> {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            let mut found = vec![EXACT.not_run(""), SHAPE.not_run("")];
            found[0].programs = vec![program.clone()];
            let found = asked_for(&names, experiment, found).into_iter();
            found
                .map(|finding| (finding.claim.id, finding.programs.len()))
                .collect()
        };
        let both = [(EXACT.id, 1), (SHAPE.id, 0)];
        for names in [&[][..], &["bolz2003"], &["bolz2003/speed"]] {
            assert_eq!(asked(names), both);
        }
        assert_eq!(asked(&[EXACT.id]), both[..1]);
        assert_eq!(asked(&[SHAPE.id]), [(SHAPE.id, 1)]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let message = chosen(&["bolz2003", "bolz2003/rectangel"]).unwrap_err();
        assert!(
            message.contains("did you mean bolz2003/rectangle?"),
            "{message}"
        );
    }

    #[test]
    fn only_exact_and_tolerance_claims_make_a_run_fail() {
        let report = |findings| Report {
            findings,
            ..Report::default()
        };
        let shape = SHAPE.differs("slower", "for a reason");
        assert!(judge(&report(vec![EXACT.reproduced("26x18"), shape])).is_ok());
        let failure = judge(&report(vec![EXACT.differs("24x20", "for a reason")])).unwrap_err();
        assert_eq!(failure.status, Status::Claim);
        assert!(failure.message.contains("bolz2003/rectangle"));
    }
}
