//! Choosing claims by name and checking them: always one finding per claim.

use std::rc::Rc;
use std::time::Instant;

use super::BoxedError;
use super::Table;
use super::exhibit::{Figure, Program};
use super::found::Found;
use super::inputs::Given;
use super::judge::{Judgement, Verdict, judge, of_quick_run};
use super::printed::MARGIN;
use super::row::{Claim, Class, JudgedOn, Paper, Variant};
use super::rows;
use super::run::{Run, Shown};
use crate::base::error::ErrorKind;
use crate::experiment::Experiment;
use crate::gl::GlError;
use crate::timing::Samples;

/// A claim with the result of its check.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Paper of the claim.
    pub paper: &'static Paper,
    /// The claim.
    pub claim: &'static Claim,
    /// The result; its cause holds the error if the check failed.
    pub found: Found,
    /// The verdict.
    pub verdict: Verdict,
    /// Pictures.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Fragment programs that ran.
    pub programs: Vec<Program>,
    /// Programs and textures that the paper's card of 2003 could not have, in a claim labelled *paper*.
    pub beyond: Vec<String>,
    /// A user's inputs, as options.
    pub inputs: String,
    /// The experiments whose settings the check got.
    pub experiments: Vec<Experiment>,
    /// Seconds of the check; a measurement shared by several claims counts for the first.
    pub seconds: f64,
}

impl Finding {
    /// Paper and name, as in `bolz2003/rectangle`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.paper.id, self.claim.id)
    }

    /// Origin of the method in reports: *paper* only if all of its run is as in the paper, and the paper's card could have
    /// run it.
    pub fn variant(&self) -> &'static str {
        match self.claim.variant {
            Variant::Paper if self.parts().next().is_some() => "paper, in part",
            Variant::Paper if !self.beyond.is_empty() => "paper, beyond its card",
            variant => variant.name(),
        }
    }

    /// Parts of the paper that are not built and belong to the claim.
    fn parts(&self) -> impl Iterator<Item = &'static str> {
        let id = self.claim.id;
        let parts = self.paper.partly.iter().filter(move |(_, rows)| rows.contains(&id));
        parts.map(|(part, _)| *part)
    }

    /// The reason for the verdict, what is not built, and what was beyond the paper's card.
    pub fn cause(&self) -> String {
        let mut cause = self.found.cause.clone();
        let parts = self.parts().collect::<Vec<_>>().join(", ");
        if !parts.is_empty() {
            cause = format!("{cause} Not built: {parts}.").trim_start().to_owned();
        }
        if let Some(first) = self.beyond.first() {
            let more = match self.beyond.len() - 1 {
                0 => String::new(),
                more => format!("; {more} more"),
            };
            if !cause.is_empty() {
                cause += " ";
            }
            cause += &format!("Beyond the paper's card: {first}{more}.");
        }
        cause
    }

    /// The command that checks the claim again.
    pub fn command(&self, quick: bool) -> String {
        let mut command = format!("fragstream reproduce {}", self.id());
        if quick {
            command += " --quick";
        }
        if !self.inputs.is_empty() {
            command += " ";
            command += &self.inputs;
        }
        command
    }
}

/// A chosen claim with its paper.
pub type Chosen = (&'static Paper, &'static Claim);

/// The claims given by names (paper, or paper and name), in the papers' order; all claims without names.
///
/// # Errors
/// The first name that matches nothing.
pub fn choose<'n>(papers: &[&'static Paper], names: &'n [String]) -> Result<Vec<Chosen>, &'n str> {
    let all = || papers.iter().flat_map(|paper| paper.claims.iter().map(|claim| (*paper, claim)));
    let answers = |name: &str, (paper, claim): Chosen| {
        name == paper.id || name.split_once('/') == Some((paper.id, claim.id))
    };
    let unknown = |name: &&String| !all().any(|chosen| answers(name, chosen));
    if let Some(name) = names.iter().find(unknown) {
        return Err(name);
    }
    let is_chosen =
        |chosen: &Chosen| names.is_empty() || names.iter().any(|name| answers(name, *chosen));
    Ok(all().filter(is_chosen).collect())
}

/// Checks claims on a machine, one after the other.
pub struct Checker<'a> {
    run: Run<'a>,
    given: Given,
    /// What this machine can distinguish, as a share; none if its twins have not been measured.
    pub floor: Option<f64>,
}

impl<'a> Checker<'a> {
    /// Creates a checker. Measurements shared by the claims of a paper are kept until the next paper.
    pub fn new(run: Run<'a>) -> Self {
        let given = run.given.clone();
        Self { run, given, floor: None }
    }

    /// Begins the rows of a paper: discards what those of another one shared.
    pub fn begin(&mut self, paper: &Paper) {
        if self.run.paper != paper.id {
            self.run.forget();
            self.run.paper = paper.id;
        }
    }

    /// Takes the samples of other processes, which then are not raced again.
    pub fn bring(&mut self, samples: impl IntoIterator<Item = Samples>) {
        self.run.brought.extend(samples);
    }

    /// Takes the samples of earlier runs of the same machine, which are judged together with those of this one.
    pub fn remember(&mut self, history: Vec<Vec<Samples>>) {
        self.run.history = history;
    }

    /// The samples of this process since the last call.
    pub fn sampled(&mut self) -> Vec<Samples> {
        self.run.sampled.take()
    }

    /// Checks a claim. An error of the check is a finding: not reproduced, or not run if the driver lacks a feature
    /// that a program needs. With a user's inputs, on which the claim makes no statement, the error is returned.
    pub fn check(&mut self, (paper, claim): Chosen) -> Result<Finding, BoxedError> {
        self.begin(paper);
        let run = &mut self.run;
        run.given = self.given.taken(claim);
        run.experiments.clear();
        run.shown = Shown::default();
        run.inspector = Rc::default();
        run.beyond.clear();
        run.measuring(format!("{}/{}", paper.id, claim.id));
        let inputs = run.given.options();
        let observation = run.machine.observe(Rc::clone(&run.inspector) as _)?;
        let start = Instant::now();
        let checked = match (run.machine.interpreter(), claim.class, claim.judged_on) {
            (Some(_), Class::Shape, JudgedOn::Measurement) => {
                Err(GlError::NoDriver { doing: "measure a driver" }.into())
            }
            _ => {
                let found = rows::check(run, claim).and_then(Found::finished);
                let row = format!("{}/{}", paper.id, claim.id);
                found.map(|found| if inputs.is_empty() { found.compiled(&row) } else { found })
            }
        };
        drop(observation);
        let seconds = start.elapsed().as_secs_f64();
        let in_software = run.is_in_software();
        let (found, verdict) = match checked {
            Ok(found) => match claim.needs.filter(|needs| !needs.is_met(in_software)) {
                Some(needs) => {
                    let why = format!("This device does not have {needs}.");
                    (found.because(why), Verdict::NotApplicable)
                }
                None => {
                    let quick = of_quick_run(claim, &found).filter(|_| run.quick);
                    let judged =
                        || judge(claim, &found, !inputs.is_empty(), self.floor.unwrap_or(MARGIN));
                    let Judgement { verdict, remark } = quick.unwrap_or_else(judged);
                    (found.because(remark), verdict)
                }
            },
            Err(error) if !inputs.is_empty() => return Err(error),
            Err(error) => {
                let verdict = match error.kind {
                    ErrorKind::Lacking => Verdict::NotRun,
                    _ => Verdict::NotReproduced,
                };
                (Found::default().because(format!("The check failed: {error}")), verdict)
            }
        };
        let mut shown = std::mem::take(&mut run.shown);
        for program in run.inspected() {
            if !shown.programs.contains(&program) {
                shown.programs.push(program);
            }
        }
        let excesses = run.inspector.found().join(" ");
        let mut beyond = std::mem::take(&mut run.beyond);
        beyond.extend(run.inspector.beyond());
        if paper.year != 2003 || claim.variant == Variant::Ours {
            beyond.clear();
        }
        Ok(Finding {
            paper,
            claim,
            found: found.because(excesses),
            verdict,
            figures: shown.figures,
            tables: shown.tables,
            programs: shown.programs,
            beyond: beyond.into_iter().collect(),
            inputs,
            experiments: std::mem::take(&mut run.experiments),
            seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::Claims;
    use super::*;
    use crate::experiment::{Study, Takes};
    use crate::stream::{Edges, Format, Machine, Reduce, Reduction, Stream};

    /// Sums a line that is wider than a texture of 2003.
    static WIDE: Study = Study::timing("stam2003/wide", "A sum", Takes::nothing(), |_, place| {
        let size = (4096, 1);
        let line = Stream::zeros(place.machine, "line", size, Format::R32F)?;
        let sum = Reduction::new(place.machine, size, Format::R32F, Reduce::Sum, Edges::Padded)?;
        Ok(Box::new(move |_| Ok(sum.of(&line).map(drop)?)))
    });

    static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| {
        let row = |id: &str, what: &str| {
            format!(
                "[row.{id}]\nplace = \"§1\"\nsays = \"A line.\"\nabout = \"arithmetic\"\npaper = \"0\"\n\
                 class = \"exact\"\n{what}\nvalue.sum = \"sum: 0 == 0\"\n"
            )
        };
        let text = [
            row("wide", "run.wide = \"stam2003/wide\""),
            row("aside", "race.wide = \"stam2003/wide\"\naside = [\"wide\"]"),
            row("ours", "run.wide = \"stam2003/wide\"\nours = true"),
        ];
        rows::built_in("claims.toml", &text.concat(), "id,value\n", &[&WIDE])
    });

    static CARD: Paper = Paper {
        id: "stam2003",
        authors: "Jos Stam",
        title: "Flows on Surfaces of Arbitrary Topology",
        year: 2003,
        subject: "",
        partly: &[("lines", &["wide"])],
        together: &[],
        claims: Claims::Of(&CLAIMS),
    };

    #[test]
    fn a_claim_is_the_paper_s_only_if_its_card_could_run_it() {
        let machine = Machine::headless().expect("this machine has OpenGL");
        let mut checker = Checker::new(Run::new(&machine));
        let chosen = choose(&[&CARD], &[]).unwrap();
        let findings: Vec<_> = chosen.into_iter().map(|c| checker.check(c).unwrap()).collect();
        let variants: Vec<_> = findings.iter().map(Finding::variant).collect();
        assert_eq!(variants, ["paper, in part", "paper", "ours"]);
        let cause = findings[0].cause();
        assert!(cause.contains("4096x1 of 2048x2048") && cause.contains("Not built: lines."));
    }
}
