//! `fragstream reproduce`: runs experiments and reports what became of the papers' claims.

mod apart;
mod inspected;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use fragstream::claim::papers::PAPERS;
use fragstream::claim::table::table;
use fragstream::claim::{Experiment, Options, Report, Verdict};
use fragstream::experiments::experiments;
use fragstream::nearest::nearest;
use fragstream::stream::Machine;

use super::super::failure::{Failure, Status};
use super::super::session::{Session, progress_bar};

/// Run the papers' experiments and report what became of their claims.
///
/// Prints a table, and writes report.json, report.html, report.md and the figures. Ends with exit code
/// 1 if a claim of the class `exact` or `tolerance` was not reproduced.
#[derive(Args)]
pub struct Arguments {
    /// Papers, experiments or claims, as `fragstream list` names them; all if none is given
    #[arg(value_name = "PAPER|ID")]
    names: Vec<String>,

    /// Smaller inputs and fewer repetitions
    #[arg(long)]
    quick: bool,

    /// The folder for the reports and the figures; files of their names in it are replaced
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,

    /// Perform the experiments that standard input names, for another process of this program
    #[arg(long, hide = true)]
    apart: bool,
}

const DEFAULT_FOLDER: &str = "report";

impl Arguments {
    /// All experiments in quick mode.
    pub fn quick() -> Self {
        Arguments {
            names: Vec::new(),
            quick: true,
            out: DEFAULT_FOLDER.into(),
            apart: false,
        }
    }
}

/// Runs the experiments, writes the report and prints its table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let chosen = choose(&arguments.names, experiments())?;
    let out = arguments.out.clone();
    if arguments.apart {
        let quick = arguments.quick;
        return apart::serve(&chosen, &Options { quick, out }, session);
    }
    let mut machine = session.machine()?;
    // A folder that cannot be made is better known before the work than after it.
    std::fs::create_dir_all(&out)
        .map_err(|error| Failure::in_file(&out, format!("cannot make this folder: {error}")))?;
    let options = Options {
        quick: arguments.quick,
        out,
    };
    let start = Instant::now();
    let bar = progress_bar(chosen.len() as u64);
    let mut found = vec![None; chosen.len()];
    // A ledger is to show all that was done.
    if !session.is_watched() {
        bar.set_message("what times nothing, side by side");
        found = apart::findings(&machine, &chosen, &options, || bar.inc(1));
    }
    let mut findings = Vec::new();
    for (experiment, found) in chosen.iter().zip(found) {
        if let Some(found) = found {
            findings.extend(found);
            continue;
        }
        bar.set_message(format!("{}  {}", experiment.id, experiment.title));
        findings.extend(inspected::perform(experiment, &mut machine, &options)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    let report = Report {
        machine: describe(&machine, arguments.quick, start),
        findings,
    };
    report.write(&options.out)?;

    let out = &mut session.out;
    write!(out, "{}", table(&report.findings))?;
    writeln!(
        out,
        "{} reproduced, {} differ, {} not reproduced; report: {}",
        report.count(Verdict::Reproduced),
        report.count(Verdict::Differs),
        report.count(Verdict::NotReproduced),
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
fn choose(
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
fn describe(machine: &Machine, quick: bool, start: Instant) -> BTreeMap<String, String> {
    let description = machine.context().description();
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
    let mode = if quick { "quick" } else { "full" };
    let seconds = start.elapsed().as_secs_f64();
    let entries = [
        ("renderer", description.renderer.clone()),
        ("version", description.version.clone()),
        ("cores", cores.to_string()),
        ("mode", mode.to_owned()),
        ("seconds", format!("{seconds:.1}")),
        ("fragstream", env!("CARGO_PKG_VERSION").to_owned()),
    ];
    entries.map(|(name, value)| (name.to_owned(), value)).into()
}

#[cfg(test)]
mod tests {
    use fragstream::claim::{Claim, Class, JudgedOn, Variant};

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
