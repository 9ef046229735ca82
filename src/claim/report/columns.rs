//! The columns of a sentence about performance: the model of its card, traced caches, this device, and other reports.

use serde::{Deserialize, Serialize};

use super::Report;
use super::json::Entry;
use super::provenance::Provenance;
use crate::claim::printed::MARGIN;
use crate::claim::{
    Bound, Claim, Interval, JudgedOn, Measured, Printed, Value, Verdict, criterion,
};
use crate::timing::interval::short;

named! {
    /// Origin of a column.
    Source {
        /// Model of the paper's card, or counts.
        Card = "model or count of its card",
        /// Machine code of the programs, by Mesa's compiler for its card.
        Compiler = "Mesa's compiler",
        /// Fetches of the programs, traced through texture caches.
        Trace = "texture-cache trace",
        /// The device of the report.
        Here = "here",
        /// A card of the papers' time, which has run a kit.
        Kit = "its card, by a kit",
        /// The device of another report.
        Elsewhere = "another report",
    }
}

/// A value of a sentence from one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Name of the value.
    pub name: String,
    /// Origin.
    pub source: Source,
    /// Device.
    pub machine: String,
    /// Value; none for a text.
    pub value: Option<f64>,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Verdict of the row if it decides that, else by today's rule; none if quantity or experiment differ.
    pub verdict: Option<Verdict>,
    /// True if it decides the row.
    pub decides: bool,
    /// The reason if there is no verdict.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl Column {
    fn of(value: &Value, source: Source, machine: &str, verdict: Option<Verdict>) -> Option<Self> {
        let Measured::Number(Interval { median, low, high, .. }) = value.measured else {
            return None;
        };
        Some(Self {
            name: value.name.to_string(),
            source,
            machine: machine.to_owned(),
            value: Some(median),
            low: Some(low),
            high: Some(high),
            verdict,
            decides: false,
            note: String::new(),
        })
    }

    /// Its number, or the range of a count.
    pub fn amount(&self) -> String {
        match (self.source, self.low, self.high) {
            (Source::Compiler, Some(low), Some(high)) if low < high => {
                format!("{} to {}", short(low), short(high))
            }
            _ => self.value.map(short).unwrap_or_default(),
        }
    }
}

/// Source of the values that decide a row.
pub fn deciding(judged_on: JudgedOn) -> Source {
    match judged_on {
        JudgedOn::Measurement | JudgedOn::Picture => Source::Here,
        JudgedOn::Trace => Source::Trace,
        JudgedOn::Count | JudgedOn::Model | JudgedOn::Clock => Source::Card,
    }
}

/// The columns of a row: its own values, and those of the same row in other reports, judged by today's row and rule.
pub fn columns(claim: &Claim, entry: &Entry, run: &Provenance, others: &[&Report]) -> Vec<Column> {
    let is_of_its_card = claim.is_of_its_card() && !run.is_of_a_card();
    let printed = claim.paper.each();
    // A value that was judged on another basis is not today's quantity.
    let is_today_s = entry.judged_on == claim.judged_on;
    let settled = entry.is_judged_by(claim).then_some(entry.verdict);
    let is_applicable =
        |run: &Provenance| claim.needs.is_none_or(|needs| needs.is_met(run.draws_in_software()));
    let (mut columns, mut place) = (Vec::new(), 0);
    // The bound of the last judged value, and the printed ratio that it is compared with.
    let mut demand = (Bound::None, None);
    for value in &entry.values {
        let is_judged = value.bound != Bound::None;
        if is_judged {
            let is_printed = value.bound == Bound::Printed;
            let ratio = printed.get(place.min(printed.len().max(1) - 1)).copied();
            demand = (value.bound.clone(), ratio.filter(|_| is_printed));
            place += usize::from(is_printed);
        }
        let Some(source) = entry.source(value) else { continue };
        let is_here = source == Source::Here;
        let machine = if is_here { run.machine() } else { &*value.compiler };
        let of = |value: &Value, run: &Provenance| match (source, &value.measured, demand.1) {
            (Source::Here, ..) if !is_applicable(run) => Verdict::NotApplicable,
            (Source::Compiler, Measured::Number(count), Some(Printed::Ratio(ratio)))
                if count.low < ratio && ratio < count.high =>
            {
                Verdict::Undecided
            }
            (Source::Compiler, Measured::Number(count), Some(printed)) => {
                printed.decide_count(*count).into()
            }
            _ => Verdict::of(&value.measured, &demand.0, demand.1, run.floor.unwrap_or(MARGIN)),
        };
        let decides = match (is_of_its_card, &value.measured) {
            (true, Measured::Number(number)) if number.rounds > 0 => false,
            (true, _) if value.is_model => !claim.row.is_fitted,
            _ => is_judged,
        };
        let verdict = settled.filter(|_| decides).unwrap_or_else(|| of(value, run));
        let source = if is_here && run.is_of_a_card() { Source::Kit } else { source };
        columns.extend(match is_judged && !is_today_s {
            true => Column::of(value, source, machine, None).map(|one| noted(one, QUANTITY)),
            false => Column::of(value, source, machine, Some(verdict))
                .map(|column| Column { decides, ..column }),
        });
        if !is_here {
            continue;
        }
        for (other, run) in others.iter().filter_map(|&other| found(other, entry)) {
            let source = if run.is_of_a_card() { Source::Kit } else { Source::Elsewhere };
            let there = |value, verdict| Column::of(value, source, run.machine(), verdict);
            // A measurement next to another basis is known by its name.
            let difference = match is_judged {
                true if is_today_s => difference(entry, other),
                true => QUANTITY,
                false => "",
            };
            let same = other.values.iter().find(|one| one.name == value.name);
            let column = match (same, difference) {
                (Some(same), "") => there(same, Some(of(same, run))),
                (Some(same), why) => there(same, None).map(|column| noted(column, why)),
                (None, _) => other
                    .values
                    .iter()
                    .find(|one| one.is_key)
                    .and_then(|one| there(one, None).map(|column| noted(column, QUANTITY))),
            };
            let is_new = |column: &Column| !columns.contains(column);
            columns.extend(column.filter(is_new));
        }
    }
    columns
}

impl Entry {
    /// Source of one of its values, by the basis on which it was judged; none for evidence.
    pub fn source(&self, value: &Value) -> Option<Source> {
        match value {
            Value { is_model: true, .. } => Some(Source::Card),
            Value { is_here: true, .. } => Some(Source::Here),
            Value { compiler, .. } if !compiler.is_empty() => Some(Source::Compiler),
            Value { bound: Bound::None, .. } => None,
            _ => Some(deciding(self.judged_on)),
        }
    }

    /// Basis of its verdict, in words.
    pub fn basis(&self) -> &'static str {
        let is_by_its_card = |one: &Column| one.decides && one.source == Source::Card;
        match (self.verdict, self.judged_on) {
            (Verdict::NotDecidable, _) => "nothing of today",
            (_, JudgedOn::Measurement) if self.columns.iter().any(is_by_its_card) => {
                "model of its card"
            }
            (_, judged_on) => judged_on.name(),
        }
    }

    /// Tests whether its verdict is by this row as it is today.
    fn is_judged_by(&self, claim: &Claim) -> bool {
        let row = self.criterion.split('-').next();
        criterion::of_row(claim).is_ok_and(|today| row == Some(&today))
    }

    /// For a row that differs or is undecided: the other columns of what it judges, and why they do not decide it. Empty for
    /// other rows.
    pub fn undecided_by(&self) -> String {
        let is_past = self.verdict == Verdict::NotDecidable;
        let is_open = is_past || matches!(self.verdict, Verdict::Differs | Verdict::Undecided);
        if !self.class.may_differ() || !is_open || self.is_removed {
            return String::new();
        }
        let is_other = |one: &&Column| !one.decides && one.verdict.is_some();
        let others: Vec<&Column> = self.columns.iter().filter(is_other).collect();
        let (mut sentences, mut devices) = (Vec::new(), Vec::new());
        if is_past && others.iter().all(|one| one.source != Source::Card) {
            sentences.push("No model of its card has all of its numbers.".to_owned());
        }
        for one in &others {
            let is_same =
                |other: &&&Column| (other.source, &other.machine) == (one.source, &one.machine);
            let verdict = outcome(&others.iter().filter(is_same).copied().collect::<Vec<_>>());
            let (list, text) = match one.source {
                Source::Card if is_past => (
                    &mut sentences,
                    format!("The model of its card ({verdict}) was fitted to the printed numbers."),
                ),
                Source::Card => (
                    &mut sentences,
                    format!("The model of its card ({verdict}) is right within 30 % at best."),
                ),
                Source::Compiler => {
                    let name = &one.machine;
                    let text = "is another author's, and its counts only bound those of a card";
                    (&mut sentences, format!("Mesa's compiler for {name} ({verdict}) {text}."))
                }
                Source::Trace => {
                    (&mut sentences, format!("A trace ({verdict}) counts bytes and no time."))
                }
                Source::Here => {
                    (&mut sentences, format!("The time here ({verdict}) is not that of its card."))
                }
                Source::Kit | Source::Elsewhere => {
                    (&mut devices, format!("{} ({verdict})", one.machine))
                }
            };
            if !list.contains(&text) {
                list.push(text);
            }
        }
        if !devices.is_empty() {
            let devices = devices.join(", ");
            sentences.push(format!("Other devices have verdicts of their own: {devices}."));
        }
        match (sentences.is_empty(), self.judged_on) {
            (false, _) => sentences.join(" "),
            (true, JudgedOn::Count) => "A count needs no other column.".to_owned(),
            (true, _) => {
                "No other column has this quantity: the paper's card itself could decide it."
                    .to_owned()
            }
        }
    }
}

/// Reason for no verdict: the values of two reports are not of one quantity.
const QUANTITY: &str = "another quantity";

fn noted(column: Column, note: &str) -> Column {
    Column { note: note.to_owned(), ..column }
}

/// Finds the row of a result in another report, with its run.
fn found<'r>(other: &'r Report, entry: &Entry) -> Option<(&'r Entry, &'r Provenance)> {
    let same = |one: &&Entry| one.row() == entry.row() && one.inputs == entry.inputs;
    let other_entry = other.claims.iter().find(same)?;
    Some((other_entry, other.run_of(&other_entry.run)?))
}

/// Difference between the experiments of two results, or an empty text. Older reports have no experiments: the names of
/// the values are compared.
fn difference(one: &Entry, other: &Entry) -> &'static str {
    let judged = |entry: &Entry| -> Vec<String> {
        let judged = entry.values.iter().filter(|value| value.bound != Bound::None);
        judged.map(|value| value.name.to_string()).collect()
    };
    let [ours, theirs] = [&one.experiments, &other.experiments];
    let is_stored = !ours.is_empty() && !theirs.is_empty();
    // What a work is compared with may have been no experiment there.
    let is_same = theirs.iter().all(|other| ours.iter().any(|one| are_equal((one, other))));
    match () {
        () if is_stored && !is_same => "another experiment",
        () if one.judged_on != other.judged_on || judged(one) != judged(other) => QUANTITY,
        () => "",
    }
}

/// Tests whether two experiments have the same settings. One that is younger than one of the reports is left out. Older
/// reports name a scene or a solve where a study of its settings runs now.
fn are_equal((one, other): (&serde_json::Value, &serde_json::Value)) -> bool {
    let settings = one["settings"].as_object().into_iter().flatten();
    let mut both = settings.filter_map(|(name, value)| Some((value, other["settings"].get(name)?)));
    let is_study =
        |one: &serde_json::Value| one["subject"].as_str().is_some_and(|of| of.contains('/'));
    let is_same = one["subject"] == other["subject"] || is_study(one) != is_study(other);
    is_same && both.all(|(one, other)| one == other)
}

/// Values of one source and machine as one text, with the verdict of all of them: `undecided: 2.97, 2.20 times`.
pub fn cell(columns: &[&Column]) -> String {
    let main: Vec<&&Column> = columns.iter().filter(|one| one.value.is_some()).collect();
    let Some(first) = main.first() else { return "–".to_owned() };
    let interval = match (main.len(), first.low, first.high) {
        (1, Some(low), Some(high)) if low < high => format!(", {} to {}", short(low), short(high)),
        _ => String::new(),
    };
    let values: Vec<String> = main.iter().filter_map(|one| one.value).map(short).collect();
    format!("{}: {}{interval}", outcome(columns), values.join(", "))
}

/// Verdict of several values, as for a row. Without one it is the reason.
pub fn outcome(columns: &[&Column]) -> String {
    let has = |verdict| columns.iter().any(|one| one.verdict == Some(verdict));
    let order =
        [Verdict::NotApplicable, Verdict::Differs, Verdict::NotResolvable, Verdict::Undecided];
    let first = || order.into_iter().find(|&one| has(one)).or(columns.first()?.verdict);
    match columns.iter().find(|one| one.verdict.is_none()) {
        Some(other) => other.note.clone(),
        None => first().map_or_else(String::new, |verdict| verdict.to_string()),
    }
}
