//! `fragstream reproduce`: checks the papers' claims and reports what became of them.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::claim::report::provenance::Provenance;
use crate::claim::report::terminal::table;
use crate::claim::{Checker, Chosen, Finding, Given, Parameter, Report, Run, choose};
use crate::io::read_valid_mesh;
use crate::nearest::nearest;
use crate::papers::PAPERS;
use crate::timing::Effort;

use super::super::arguments::size::GridSize;
use super::super::arguments::sweeps;
use super::super::failure::{Failure, Status};
use super::super::layouts;
use super::super::session::{Session, Sign};

/// Check the papers' claims and report what became of them.
///
/// Prints a table, and writes report.html, report.json, report.csv, report.md, the figures and the tables. Ends with
/// exit code 1 if a claim of the class `exact` or `tolerance` was not reproduced.
#[derive(Args)]
pub struct Arguments {
    /// Papers or claims, as `fragstream list` names them, or `layouts`, which shows layouts side by side without a
    /// claim; all if none is given
    #[arg(value_name = "PAPER|ID")]
    names: Vec<String>,

    /// Smaller inputs and fewer repetitions
    #[arg(long)]
    quick: bool,

    /// The folder for the reports and the figures; files of their names in it are replaced
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,

    /// Print what is known of each claim's result; up to five claims always have it
    #[arg(long)]
    why: bool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Inputs that take the place of the claims' own.
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

/// Checks that each input is taken by one of the chosen claims, and that the mesh is one.
fn check_inputs(given: &Given, chosen: &[Chosen]) -> Result<(), Failure> {
    for parameter in Parameter::ALL {
        let takes = |(_, claim): &Chosen| claim.takes.contains(&parameter);
        if given.value(parameter).is_some() && !chosen.iter().any(takes) {
            let all = PAPERS.iter().flat_map(|paper| {
                let takes = paper.claims.iter().filter(|c| c.takes.contains(&parameter));
                takes.map(|claim| format!("{}/{}", paper.id, claim.id))
            });
            let what = format!(
                "none of these claims takes {}. Name one that does ({}), or leave it out",
                parameter.name(),
                all.collect::<Vec<_>>().join(", ")
            );
            return Err(Failure::input(what));
        }
    }
    if let Some(mesh) = &given.mesh {
        read_valid_mesh(mesh)?;
    }
    Ok(())
}

/// The most claims whose causes are printed unasked.
const FEW: usize = 5;
const DEFAULT_FOLDER: &str = "report";
/// The name of what the report shows without a claim.
const LAYOUTS: &str = "layouts";

impl Arguments {
    /// All claims in quick mode.
    pub fn quick() -> Self {
        Arguments {
            names: Vec::new(),
            quick: true,
            out: DEFAULT_FOLDER.into(),
            why: false,
            inputs: Inputs::default(),
        }
    }
}

/// Checks the claims, writes the report and prints its table.
pub fn run(arguments: &Arguments, session: &mut Session) -> Result<(), Failure> {
    let (shown, named): (Vec<_>, Vec<_>) =
        (arguments.names.iter().cloned()).partition(|name| name == LAYOUTS);
    let chosen = if shown.is_empty() || !named.is_empty() {
        chosen(&named)?
    } else {
        Vec::new()
    };
    let given = arguments.inputs.given();
    check_inputs(&given, &chosen)?;
    let machine = session.machine()?;
    // Better known before the work than after it.
    let out = &arguments.out;
    std::fs::create_dir_all(out)
        .map_err(|error| Failure::in_file(out, format!("cannot make this folder: {error}")))?;
    let start = Instant::now();
    let mut record = Provenance::now();
    let description = machine.context().description();
    record.renderer.clone_from(&description.renderer);
    record.version.clone_from(&description.version);
    record.mode = (if arguments.quick { "quick" } else { "full" }).to_owned();
    let sign = Sign::of_steps(chosen.len() as u64);
    let mut run = Run::new(&machine);
    run.quick = arguments.quick;
    run.given = given.clone();
    run.out = out.clone();
    let mut checker = Checker::new(run);
    let mut findings: Vec<Finding> = Vec::new();
    for (paper, claim) in chosen {
        sign.say(|| format!("at {}/{}", paper.id, claim.id));
        let checked = checker.check((paper, claim));
        findings.push(checked.map_err(|error| {
            let inputs = given.options();
            Failure::input(format_args!(
                "{}/{} with {inputs}: {error}",
                paper.id, claim.id
            ))
        })?);
        sign.step();
    }
    let mut exhibits = Vec::new();
    if arguments.names.is_empty() || !shown.is_empty() {
        sign.say(|| "at layouts side by side".to_owned());
        match layouts::exhibits(&machine, Effort::of(arguments.quick)) {
            Ok(shown) => exhibits = shown,
            // They are no reason to lose the claims.
            Err(failure) => _ = writeln!(io::stderr(), "no layouts: {}", failure.message),
        }
    }
    drop(sign);
    record.end(start.elapsed().as_secs_f64(), &findings);
    let report = Report {
        run: record,
        findings,
        exhibits,
    };
    report.write(out)?;

    write!(session.out, "{}", table(&report.findings))?;
    if arguments.why || report.findings.len() <= FEW {
        for finding in report.findings.iter().filter(|f| !f.found.cause.is_empty()) {
            writeln!(session.out, "{}: {}", finding.id(), finding.found.cause)?;
        }
    }
    for warning in &report.run.warnings {
        let _ = writeln!(io::stderr(), "fragstream: {warning}");
    }
    writeln!(
        session.out,
        "{}; report: {}",
        report.counts(),
        out.join("report.html").display()
    )?;
    judge(&report)
}

/// Fails where an exact or tolerance claim failed.
fn judge(report: &Report) -> Result<(), Failure> {
    let failed: Vec<String> = report.failures().map(Finding::id).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let message = format!(
        "exact or tolerance claims that failed: {}; the report says why",
        failed.join(", ")
    );
    Err(Failure::new(Status::Claim, message))
}

/// The claims that these names ask for; all for no name.
pub fn chosen(names: &[String]) -> Result<Vec<Chosen>, Failure> {
    choose(&PAPERS, names).map_err(|name| {
        let ids = PAPERS.iter().flat_map(|paper| {
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
            "no paper or claim is named '{name}'{close}; see `fragstream list`"
        ))
    })
}

/// What `fragstream` without a command does, and how long it takes.
pub fn announcement() -> String {
    let claims: usize = PAPERS.iter().map(|paper| paper.claims.len()).sum();
    format!(
        "fragstream reproduce --quick: checks {claims} claims of the papers on small inputs and writes \
         {DEFAULT_FOLDER}/report.html; on two cores about two minutes (fragstream --help for the rest)"
    )
}
