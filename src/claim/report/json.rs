//! The rows of `report.json`, from which the report's pages and the tables of this project's pages are made.

use serde::{Deserialize, Serialize};

use super::columns::Column;
use super::provenance::Provenance;
use crate::claim::criterion;
use crate::claim::found::is_false;
use crate::claim::inputs::slug;
use crate::claim::judge::on_its_card;
use crate::claim::{
    Bound, Claim, Class, Figure, Finding, Found, Interval, JudgedOn, Measured, Table, Value,
    Verdict,
};
use crate::experiment::Experiment;
use crate::timing::interval::short;

/// A claim with its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Paper and name; with a user's inputs, these follow, as in `bolz2003/galerkin-size-65`.
    pub id: String,
    /// Class, as in `exact`.
    pub class: Class,
    /// `paper`, `paper, in part`, `paper, beyond its card` or `ours`.
    pub variant: String,
    /// Basis of the verdict.
    pub judged_on: JudgedOn,
    /// Section of the paper.
    pub section: String,
    /// The statement.
    pub statement: String,
    /// The paper's number.
    pub paper: String,
    /// Values: name, number or text, interval, rounds, unit, bound, headline or evidence.
    pub values: Vec<Value>,
    /// Verdict.
    pub verdict: Verdict,
    /// Hash of its criterion. Older entries have none, or have another hash after a hyphen.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub criterion: String,
    /// Columns of a sentence about performance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Ratio relative to the nearest bound of its verdict; of several, the one that is nearest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// Its cause.
    pub why: String,
    /// The command that checks it again.
    pub command: String,
    /// The experiments whose settings the check got: subject, preset and all settings of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub experiments: Vec<serde_json::Value>,
    /// A user's inputs, as options; empty for the claim's own.
    #[serde(default)]
    pub inputs: String,
    /// Seconds of its check.
    pub seconds: f64,
    /// Figures.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Names of the fragment programs that ran.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Name of its run: commit, date, mode and renderer.
    pub run: String,
    /// True if it is not a claim any more: its last verdict remains.
    #[serde(default, skip_serializing_if = "is_false", rename = "no_longer_a_claim")]
    pub is_removed: bool,
    /// True if it is not stored, because the report has the result of a full run.
    #[serde(default, skip_serializing_if = "is_false", rename = "not_stored")]
    pub is_unstored: bool,
}

/// The compared ratio that is nearest to a bound, relative to that bound.
fn margin(claim: &Claim, found: &Found) -> Option<f64> {
    let each = found.expected.unwrap_or(claim.paper).each();
    let ratios = found.printed().zip(each.iter().cycle());
    let margins = ratios.filter_map(|(ratio, printed)| printed.margin(ratio.median));
    margins.min_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()))
}

impl Entry {
    /// The commands that print the records which the check read.
    pub fn records(&self) -> impl Iterator<Item = &str> {
        self.experiments.iter().filter_map(|one| one["command"].as_str())
    }

    /// The headline, to be read next to the paper's number; empty if the check failed.
    pub fn here(&self) -> String {
        let headline = self.values.iter().find(|value| value.is_key);
        headline.map_or_else(String::new, Value::text)
    }

    /// The values in one line, without those of a model.
    pub fn measured(&self) -> String {
        self.line_of(false, Value::to_string)
    }

    /// The values in the model of the paper's card in one line.
    pub fn model(&self) -> String {
        let several = self.values.iter().filter(|value| value.is_model).count() > 1;
        self.line_of(true, if several { Value::to_string } else { Value::text })
    }

    fn line_of(&self, is_model: bool, text: fn(&Value) -> String) -> String {
        let values = self.values.iter().filter(|value| value.is_model == is_model);
        values.map(text).collect::<Vec<_>>().join("; ")
    }

    /// Judges it by the model of its card, if only that decides it.
    pub fn judge_on_its_card(&mut self, claim: &Claim, run: &Provenance) {
        let is_found =
            !matches!(self.verdict, Verdict::NotRun | Verdict::NotReproduced | Verdict::NotJudged);
        if is_found && claim.is_of_its_card() && self.is_today_s(claim) && !run.is_of_a_card() {
            self.verdict = on_its_card(claim, &self.values);
        }
    }

    /// Tests whether its values are those that its row has today.
    fn is_today_s(&self, claim: &Claim) -> bool {
        self.inputs.is_empty() && self.judged_on == claim.judged_on
    }

    /// The row of a finding of this run.
    pub fn of(finding: &Finding, run: &Provenance) -> Self {
        let claim = finding.claim;
        let mut entry = Self::by_its_values(finding, run);
        entry.judge_on_its_card(claim, run);
        entry
    }

    fn by_its_values(finding: &Finding, run: &Provenance) -> Self {
        let claim = finding.claim;
        Self {
            id: finding.id() + &slug(&finding.inputs),
            class: claim.class,
            variant: finding.variant().to_owned(),
            judged_on: claim.judged_on,
            section: claim.section.to_owned(),
            statement: claim.says.to_owned(),
            paper: Some(finding.found.quote.clone())
                .filter(|quote| !quote.is_empty())
                .unwrap_or_else(|| claim.printed.to_owned()),
            values: finding.found.values.clone(),
            verdict: finding.verdict,
            criterion: criterion::of_row(claim).unwrap_or_default(),
            columns: Vec::new(),
            margin: margin(claim, &finding.found),
            why: finding.cause(),
            command: finding.command(run.is_quick()),
            experiments: finding.experiments.iter().map(Experiment::stored).collect(),
            inputs: finding.inputs.clone(),
            seconds: (100.0 * finding.seconds).round() / 100.0,
            figures: finding.figures.clone(),
            tables: finding.tables.clone(),
            programs: finding.programs.iter().map(|program| program.name.clone()).collect(),
            run: run.name(),
            is_removed: false,
            is_unstored: false,
        }
    }

    /// The margin of a timing, and the rule by which it is judged; empty for other rows.
    pub fn trust(&self) -> String {
        if self.class != Class::Shape {
            return String::new();
        }
        let margin =
            self.margin.map(|margin| format!("{} times its nearest bound.", short(margin)));
        let numbers = self.values.iter().filter_map(|value| match value.measured {
            Measured::Number(number) if value.bound != Bound::None => Some(number),
            _ => None,
        });
        let timed = numbers.filter(|number| number.rounds > 0).min_by_key(|one| one.processes);
        let rule = timed.map(|Interval { rounds, processes, runs, .. }| match (processes, runs) {
            (0, _) => "Judged by the rounds of one process.".to_owned(),
            (1, _) => format!("{rounds} rounds of one process."),
            (_, 0) => format!("Judged by {processes} processes with {rounds} rounds in all."),
            (_, 1) => {
                "Judged by the first run on this machine; three have the next verdict.".to_owned()
            }
            _ => format!("Judged by {runs} runs with {processes} processes in all."),
        });
        let rule = rule.filter(|_| self.judged_on == JudgedOn::Measurement);
        margin.into_iter().chain(rule).collect::<Vec<_>>().join(" ")
    }

    /// The id of its row, without a user's inputs. Older entries with inputs have that id.
    pub fn row(&self) -> &str {
        self.id.strip_suffix(&slug(&self.inputs)).unwrap_or(&self.id)
    }

    /// The paper's id and the claim's name in it.
    pub fn parts(&self) -> (&str, &str) {
        self.row().split_once('/').unwrap_or(("", self.row()))
    }

    /// Its place in a page: its id.
    pub fn anchor(&self) -> String {
        self.row().to_owned() + &slug(&self.inputs)
    }

    /// The verdict, and what is special about the row.
    pub fn result(&self) -> String {
        let mut result = self.verdict.to_string();
        let marks = [(self.is_removed, "superseded"), (self.is_unstored, "not stored")];
        for (_, mark) in marks.iter().filter(|(is_set, _)| *is_set) {
            result = format!("{result}, {mark}");
        }
        result
    }

    /// Tests whether it has values by Mesa's compilers.
    pub fn is_compiled(&self) -> bool {
        self.values.iter().any(|value| !value.compiler.is_empty())
    }

    /// Files of its figures, of their numbers and of its tables.
    pub fn files(&self) -> impl Iterator<Item = &String> {
        let figures = self.figures.iter().flat_map(|figure| [&figure.file, &figure.numbers]);
        let files = figures.chain(self.tables.iter().map(|table| &table.file));
        files.filter(|file| !file.is_empty())
    }

    /// Tests whether it makes a run fail: a binding claim that is not reproduced.
    pub fn is_failure(&self) -> bool {
        self.class.is_binding() && self.verdict == Verdict::NotReproduced
    }

    /// Tests whether its verdict is counted in totals: not for identities, fits and errata, nor with
    /// a user's inputs.
    pub fn is_counted(&self) -> bool {
        self.class.is_counted() && self.inputs.is_empty() && !self.is_removed
    }
}
