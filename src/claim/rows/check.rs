//! The check of a row: runs its experiments, and evaluates its lines.

use std::cell::RefCell;
use std::rc::Rc;

use super::line::{Condition, Line, quantity};
use super::{BoxedError, How, Named, ON_CARD, Row, WITH_SWITCHES};
use crate::base::expression::{Expression, Quantity};
use crate::claim::found::{Bound, Found, Measured, Name, Value, times};
use crate::claim::{Checked, Claim, Interval, Race, Run};
use crate::experiment::{Experiment, Record};
use crate::timing::interval::short;
use crate::timing::laps::{Lap, Laps};
use crate::timing::{Effort, Work, seconds_a_switch};

/// Records by the names of a row, and the rounds of its race.
pub struct Results<'r> {
    row: &'r Row,
    records: Vec<(String, Rc<Record>)>,
}

impl Results<'_> {
    /// The value of an expression, with the seconds of works in a round or in the model.
    fn value_in(&self, lap: Option<&Lap>, of: &Expression) -> Result<Quantity, String> {
        of.value(&|name| match (lap.and_then(|lap| lap.get(name)), name.split_once('.')) {
            (Some(seconds), _) => Ok(Quantity::One(seconds)),
            (None, Some(("printed", rest))) => quantity(&self.row.printed.record, rest),
            (None, Some((first, rest))) => {
                match self.records.iter().find(|(known, _)| known == first) {
                    Some((_, record)) => quantity(record, rest),
                    None => Err(format!("no record {first}")),
                }
            }
            (None, None) => Err(format!("{name} is not timed here")),
        })
    }

    /// All numbers of an expression.
    pub fn each(&self, of: &Expression) -> Result<Vec<f64>, String> {
        Ok(self.value_in(None, of)?.all().to_vec())
    }

    /// The text that a line names, if it names a text.
    fn text(&self, of: &Expression) -> Option<&str> {
        let [(name, _)] = &of.names[..] else { return None };
        let (first, rest) = name.split_once('.')?;
        self.records.iter().find(|(known, _)| known == first)?.1.text_of(rest)
    }

    /// The values of the row.
    fn found(&self, laps: Option<&Laps>) -> Result<Found, String> {
        let (row, mut found) = (self.row, Found::new());
        let (key, unit) = row.key();
        for line in &row.lines {
            let measured = match self.text(&line.expression) {
                Some(text) => Measured::Text(text.to_owned()),
                None => Measured::Number(self.number_of(line, laps)?),
            };
            let is_key = key == Some(&*line.id);
            let mut value =
                value(&line.label, measured, &line.unit, self.bound(&line.condition, laps)?);
            value.is_key = is_key;
            if is_key && !unit.is_empty() {
                value.unit = unit.to_owned().into();
            }
            found.values.push(value);
            found = found.modelled(self.model(line, &line.expression, laps)?);
            if let Some((label, here)) = &line.here {
                let measured = Measured::Number(self.number(here, laps)?);
                found
                    .values
                    .push(Value { is_here: true, ..self::value(label, measured, "", Bound::None) });
                found = found.modelled(self.model(line, here, laps)?);
            }
        }
        match (key, &row.headline) {
            (None, Some(text)) => {
                let name = "medians in the order of the paper's numbers";
                let text = row.lines.iter().fold(text.clone(), |text, line| {
                    let value = found.values.iter().find(|value| value.name == line.label);
                    let word = value.map_or(String::new(), |value| match &value.measured {
                        Measured::Number(number) if number.rounds == 0 => number.text(""),
                        Measured::Number(number) => short(number.median),
                        Measured::Text(text) => text.clone(),
                    });
                    text.replace(&format!("{{{}}}", line.id), &word)
                });
                Ok(found.shows(name, text).headline(""))
            }
            _ => Ok(found),
        }
    }

    /// The number of a line: a range, if it has two ends.
    fn number_of(&self, line: &Line, laps: Option<&Laps>) -> Result<Interval, String> {
        let number = self.number(&line.expression, laps)?;
        let Some(to) = &line.to else { return Ok(number) };
        let ends = [number.median, self.number(to, laps)?.median];
        let is_ratio = line.label.starts_with("times ");
        Ok(if is_ratio { Interval::of_ratios(ends) } else { ends.into() })
    }

    /// The number of an expression, with the seconds of a race if there are any in it.
    pub fn number(&self, of: &Expression, laps: Option<&Laps>) -> Result<Interval, String> {
        let Some(laps) = laps.filter(|_| self.row.times(of)) else {
            return Ok(interval(self.value_in(None, of)?));
        };
        // A fault is one in each round.
        let fault = RefCell::new(None);
        let number = laps.of(|lap| match self.value_in(Some(lap), of) {
            Ok(value) => interval(value).median,
            Err(what) => {
                *fault.borrow_mut() = Some(what);
                f64::NAN
            }
        });
        fault.into_inner().map_or(Ok(number), Err)
    }

    fn bound(&self, condition: &Condition, laps: Option<&Laps>) -> Result<Bound, String> {
        let number = |of: &Expression| Ok::<_, String>(self.number(of, laps)?.median);
        Ok(match condition {
            Condition::Shown => Bound::None,
            Condition::Printed(_) => Bound::Printed,
            Condition::AtMost(most) => Bound::AtMost(number(most)?),
            Condition::AtLeast(least) => Bound::AtLeast(number(least)?),
            Condition::Between([least, most]) => Bound::Between(number(least)?, number(most)?),
            Condition::Equal(one) => Bound::Equal(number(one)?),
            Condition::Is(text) => Bound::Is(text.clone()),
        })
    }

    /// A value in the model of the card: the line's own, or its expression with the seconds of the works there.
    fn model(
        &self,
        line: &Line,
        of: &Expression,
        laps: Option<&Laps>,
    ) -> Result<Option<f64>, String> {
        let model = match (&line.on_card, laps) {
            (Some(model), _) => Some(self.number(model, None)?.median),
            (None, Some(laps)) if laps.model().is_some() && self.row.times(of) => {
                laps.in_model(|lap| {
                    self.value_in(Some(lap), of).map_or(f64::NAN, |value| interval(value).median)
                })
            }
            _ => None,
        };
        Ok(model.filter(|model| model.is_finite() && *model > 0.0))
    }
}

/// A value that is not the headline.
fn value(label: &str, measured: Measured, unit: &str, bound: Bound) -> Value {
    let name = match label.strip_prefix("times ") {
        Some(what) => times(what),
        None => Name::from(label.to_owned()),
    };
    Value::of(name, measured, unit.to_owned(), bound)
}

/// A quantity as a median with its interval.
fn interval(quantity: Quantity) -> Interval {
    match quantity {
        Quantity::One(one) => one.into(),
        Quantity::Each(all) => Interval::of(all),
    }
}

impl Row {
    /// The value of the headline and its unit, if it is a single one: by default the first that is compared with the
    /// paper's number, then the first that is judged.
    fn key(&self) -> (Option<&str>, &str) {
        let first =
            |is: &dyn Fn(&Condition) -> bool| self.lines.iter().find(|line| is(&line.condition));
        let Some(headline) = &self.headline else {
            let key = first(&|condition| matches!(condition, Condition::Printed(_)))
                .or_else(|| first(&|condition| !matches!(condition, Condition::Shown)))
                .or(self.lines.first());
            return (key.map(|line| &*line.id), "");
        };
        match headline.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            Some((id, unit)) if !unit.contains('{') => (Some(id), unit.trim()),
            _ => (None, ""),
        }
    }

    /// Tests whether an expression has the seconds of works in it.
    fn times(&self, of: &Expression) -> bool {
        let is_timed = |name: &str| match name.split_once('.') {
            Some((_, rest)) => rest == WITH_SWITCHES,
            None => true,
        };
        of.names.iter().any(|(name, _)| is_timed(name))
    }
}

/// The record of an experiment; of a sweep, the last number of each.
fn record(run: &mut Run<'_>, each: &[Experiment]) -> Result<Rc<Record>, BoxedError> {
    let all = each.iter().map(|one| run.record(one)).collect::<Result<Vec<_>, _>>()?;
    let [first, _, ..] = &all[..] else { return Ok(Rc::clone(&all[0])) };
    let mut swept = Record::new();
    for name in first.names() {
        let numbers = all.iter().map(|record| record.last(name)).collect::<Result<Vec<_>, _>>()?;
        swept.each(name, numbers);
    }
    Ok(Rc::new(swept))
}

/// Runs what a row names, and evaluates its lines.
pub fn check(run: &mut Run<'_>, claim: &Claim) -> Checked {
    let row = claim.row.ok_or("a claim without a row")?;
    let experiments = run.experiments(claim)?;
    let (mut works, mut results) = (Vec::new(), Results { row, records: Vec::new() });
    for (named, each) in row.named(run.quick, &run.given.words.clone())? {
        match named.how {
            How::Run => results.records.push((named.name.clone(), record(run, &each)?)),
            How::Race => works.push((named, each[0].clone())),
        }
    }
    for (name, picture) in &row.pictures {
        if let Some((_, record)) = results.records.iter().find(|(known, _)| known == name) {
            run.some_pictures(record, |one| picture.is_empty() || picture == one);
        }
    }
    let laps = if works.is_empty() { None } else { Some(raced(run, &mut results, &works)?) };
    let found = results.found(laps.as_ref())?;
    row.exhibit(run, &results, laps.as_ref())?;
    let found = match &row.general {
        Some(words) if row.beyond(&experiments).is_empty() => {
            let words = if run.given.words.is_empty() { "" } else { words };
            found.expecting(claim.paper).quoting(words)
        }
        _ => found,
    };
    let in_software = if run.machine.description().software { &*row.in_software } else { "" };
    Ok(found.because(&row.because).because(in_software))
}

/// The seconds of the works; their ledgers become records.
fn raced(
    run: &mut Run<'_>,
    results: &mut Results<'_>,
    works: &[(&Named, Experiment)],
) -> Result<Laps, BoxedError> {
    let row = results.row;
    let a_switch = match row.without_switches {
        true => *run.once(|run| seconds_a_switch(run.machine, Effort::of(run.quick)))?,
        false => 0.0,
    };
    let timed = works.iter().map(|(named, experiment)| {
        let work = experiment.work(run.place())?;
        Ok((named.name.clone(), repeated(work, named.times)))
    });
    let mut race = Race::new(timed.collect::<Result<Vec<_>, BoxedError>>()?);
    for (named, experiment) in works {
        race = race.per(&named.name, named.units(experiment));
    }
    let names = || row.lines.iter().flat_map(|line| &line.expression.names);
    let is_work = |name: &str| works.iter().any(|(named, _)| named.name == name);
    let is_counted =
        names().any(|(name, _)| name.split_once('.').is_some_and(|(first, _)| is_work(first)));
    let race = match row.card {
        Some(card) if row.without_switches => race.on(run.machine, card, |_| 0)?,
        Some(card) => race.on(run.machine, card, |ledger| ledger.target_switches)?,
        None if is_counted || row.without_switches => race.counted(run.machine)?,
        None => race,
    };
    for ((named, experiment), (name, ledger)) in works.iter().zip(race.ledgers()) {
        let mut record = Record::new();
        record.ledger("", ledger);
        if let Some(seconds) = row
            .card
            .and_then(|card| Some(card.seconds(ledger).ok()? - card.switching_seconds(ledger)))
        {
            record.one(ON_CARD, seconds);
        }
        record.per(named.units(experiment));
        record.settings(experiment.settings());
        results.records.push((name.to_owned(), Rc::new(record)));
    }
    let laps = race.laps(run)?;
    if !row.without_switches {
        return Ok(laps);
    }
    let switches = race.counts(|ledger| ledger.target_switches as f64);
    Ok(laps.without_switches(&switches, a_switch).beside(&laps, &format!(".{WITH_SWITCHES}")))
}

/// Repeats a work, each time with another target.
fn repeated(mut work: Work<'static>, times: usize) -> Work<'static> {
    Box::new(move |run| (0..times).try_for_each(|n| work(run * times + n)))
}
