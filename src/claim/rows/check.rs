//! The check of a row: runs its experiments, and evaluates its lines.

use std::cell::RefCell;
use std::rc::Rc;

use super::line::{ALL, Condition, Here, Line, Part, filled, in_words};
use super::{BoxedError, How, Named, ON_CARD, Row, Switches, WITH_SWITCHES, exhibits, numbers_of};
use crate::base::expression::{Expression, Quantity};
use crate::base::interval::meets;
use crate::card::cost::Card;
use crate::claim::found::{Bound, Found, Measured, Value};
use crate::claim::{Claim, Interval, Race, Run};
use crate::experiment::{Experiment, Record};
use crate::timing::Work;
use crate::timing::interval::short;
use crate::timing::laps::{Lap, Laps};

/// Records by the names of a row, and the rounds of its race.
pub struct Results<'r> {
    row: &'r Row,
    /// The value of the row's sweep.
    value: f64,
    records: Vec<(String, Rc<Record>)>,
    laps: Option<Laps>,
    /// Results at smaller values of the sweep.
    smaller: Vec<Results<'r>>,
}

/// Places of the values of a sweep in a part of it; that of the row's own value, the last, if there is none.
fn places(part: Part, values: &[f64]) -> Vec<usize> {
    let own = values.len() - 1;
    let Some([least, most]) = part else { return vec![own] };
    let inside = (0..=own).filter(|&place| (least..=most).contains(&values[place]));
    let inside: Vec<usize> = inside.collect();
    if inside.is_empty() { vec![own] } else { inside }
}

impl Results<'_> {
    /// The results in a part of the sweep.
    fn over(&self, part: Part) -> Vec<&Self> {
        let all: Vec<&Self> = self.smaller.iter().chain([self]).collect();
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        places(part, &values).into_iter().map(|place| all[place]).collect()
    }

    /// An expression over a part of the sweep.
    pub fn curve(&self, of: &Expression, part: Part) -> Result<Vec<(f64, Interval)>, String> {
        self.over(part).into_iter().map(|one| Ok((one.value, one.number(of)?))).collect()
    }

    /// A setting that a label names, in words.
    fn setting(&self, name: &str) -> Option<String> {
        let (first, rest) = name.split_once('.')?;
        let record = self.record(first).ok()?;
        let text = record.text_of(rest).map(|text| in_words(&text.into()));
        text.or_else(|| record.last(rest).ok().map(short))
    }

    /// The value of an expression, with the seconds of works in a round or in the model.
    fn value_in(&self, lap: Option<&Lap>, of: &Expression) -> Result<Quantity, String> {
        of.value(&|name| match (name.strip_prefix("printed."), lap) {
            (Some(rest), _) => self.row.printed.record.quantity(rest),
            (None, Some(lap)) if self.row.is_timed(name) => match lap.quantity(name) {
                Quantity::Each(none) if none.is_empty() => Err(format!("{name} is not timed here")),
                found => Ok(found),
            },
            (None, None) if self.row.is_timed(name) => Err(format!("{name} is not timed here")),
            _ => {
                let part = |(known, record): &'_ (String, Rc<Record>)| {
                    let rest = name.strip_prefix(&**known)?.strip_prefix('.')?;
                    Some(record.quantity(rest))
                };
                self.records
                    .iter()
                    .find_map(part)
                    .unwrap_or_else(|| Err(format!("no record {name}")))
            }
        })
    }

    /// The value of an expression without seconds of a race.
    pub fn value(&self, of: &Expression) -> Result<Quantity, String> {
        self.value_in(None, of)
    }

    /// The record of a run.
    pub fn record(&self, name: &str) -> Result<&Record, String> {
        let found = self.records.iter().find(|(known, _)| known == name);
        found.map(|(_, record)| &**record).ok_or_else(|| format!("no record {name}"))
    }

    /// The text that a line names, if it names a text.
    fn text(&self, of: &Expression) -> Option<&str> {
        let [(name, _)] = &of.names[..] else { return None };
        let (first, rest) = name.split_once('.')?;
        self.record(first).ok()?.text_of(rest)
    }

    /// The values of the row.
    fn found(&self) -> Result<Found, String> {
        let (row, mut found) = (self.row, Found::default());
        let (key, unit) = row.key();
        for line in &row.lines {
            let measured = match self.text(&line.expression) {
                Some(text) => Measured::Text(text.to_owned()),
                None => Measured::Number(self.line(line)?),
            };
            let is_key = key == Some(&*line.id);
            let label = self.label(line);
            let bound = self.bound(line)?;
            let mut value = Value::of(label, measured, line.unit.clone(), bound);
            value.is_key = is_key;
            if is_key && !unit.is_empty() {
                value.unit = unit.to_owned().into();
            }
            found.values.push(value);
            found = found.modelled(self.model(line, &line.expression, line.over)?);
            if let Some(Here { label, expression, over }) = &line.here {
                let curve = self.curve(expression, *over)?;
                let measured = span(curve.into_iter().map(|(_, one)| one));
                let value = Value::of(label.clone(), measured, "", Bound::None);
                found.values.push(Value { is_here: true, ..value });
                found = found.modelled(self.model(line, expression, *over)?);
            }
            found = self.meeting(line, found)?;
        }
        match (key, &row.headline) {
            (None, Some(text)) => {
                let name = "medians in the order of the paper's numbers";
                let text = row.lines.iter().fold(text.clone(), |text, line| {
                    let label = self.label(line);
                    let is_curve =
                        line.over.is_some() && matches!(line.condition, Condition::Meets(_));
                    let value = found.values.iter().find(|value| value.name == label);
                    let word = value.map_or(String::new(), |value| match &value.measured {
                        Measured::Number(number) if number.rounds == 0 && !is_curve => {
                            number.text("")
                        }
                        Measured::Number(number) => short(number.median),
                        Measured::Text(text) => text.clone(),
                    });
                    text.replace(&format!("{{{}}}", line.id), &word)
                });
                let value = Value::of(name, text, "", Bound::None);
                found.values.push(Value { is_key: true, ..value });
                Ok(found)
            }
            _ => Ok(found),
        }
    }

    /// The label of a line, with the settings that it names.
    fn label(&self, line: &Line) -> String {
        let results = self.over(line.over);
        filled(&line.label, |name| results.last()?.setting(name))
    }

    /// The value of a line; of a range or of a part of the sweep, from the smallest end to the largest.
    fn line(&self, line: &Line) -> Result<Interval, String> {
        let results = self.over(line.over);
        let all = results.iter().flat_map(|one| line.expressions().map(|of| one.number(of)));
        Ok(span(all.collect::<Result<Vec<_>, _>>()?))
    }

    /// Adds where a curve over the sweep meets the number of its condition, if it does.
    fn meeting(&self, line: &Line, mut found: Found) -> Result<Found, String> {
        let (Condition::Meets(number), Some(sweep), Some(_)) =
            (&line.condition, &self.row.over, line.over)
        else {
            return Ok(found);
        };
        let met = self.number(number)?.median;
        let curve = self.curve(&line.expression, line.over)?;
        let curve: Vec<[f64; 2]> = curve.into_iter().map(|(x, y)| [x, y.median]).collect();
        let is_printed = number.names.iter().any(|(name, _)| name.starts_with("printed."));
        let the = if is_printed { "the printed " } else { "" };
        let name = format!("{} with {the}{} times", sweep.meaning, short(met));
        if let Some(place) = meets(&curve, met).filter(|_| met != 1.0) {
            found.values.push(Value::of(name, place.round(), "", Bound::None));
        }
        Ok(found)
    }

    /// The value of an expression, with the seconds of the race.
    pub fn number(&self, of: &Expression) -> Result<Interval, String> {
        let Some(laps) = self.laps.as_ref().filter(|_| self.row.times(of)) else {
            return Ok(interval(self.value(of)?));
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

    fn bound(&self, line: &Line) -> Result<Bound, String> {
        let results = self.over(line.over);
        let last = results.last().copied().unwrap_or(self);
        let number = |of: &Expression| Ok::<_, String>(last.number(of)?.median);
        Ok(match &line.condition {
            Condition::Shown => Bound::None,
            Condition::Printed(_) => Bound::Printed,
            Condition::AtMost(most) => Bound::AtMost(number(most)?),
            Condition::AtLeast(least) => Bound::AtLeast(number(least)?),
            Condition::Between([least, most]) => Bound::Between(number(least)?, number(most)?),
            Condition::Equal(one) => Bound::Equal(number(one)?),
            Condition::Meets(one) => Bound::Curve(number(one)?),
            Condition::Is(text) => Bound::Is(text.clone()),
        })
    }

    /// A value in the model of the card: the line's own, or its expression with the seconds of the works there.
    fn model(&self, line: &Line, of: &Expression, part: Part) -> Result<Option<f64>, String> {
        let [one] = self.over(part)[..] else { return Ok(None) };
        let model = match (&line.on_card, &one.laps) {
            // The printed costs of a driver are not next to the fitted ones.
            _ if self.row.is_by_clock => None,
            (Some(model), _) => Some(interval(one.value(model)?).median),
            (None, Some(laps))
                if laps.model().is_some() && self.row.times(of) && line.further.is_empty() =>
            {
                laps.in_model(|lap| {
                    one.value_in(Some(lap), of).map_or(f64::NAN, |value| interval(value).median)
                })
            }
            _ => None,
        };
        Ok(model.filter(|model| model.is_finite() && *model > 0.0))
    }
}

/// One number, or the span of several.
fn span(all: impl IntoIterator<Item = Interval>) -> Interval {
    let all: Vec<Interval> = all.into_iter().collect();
    if let [one] = all[..] {
        return one;
    }
    let span = Interval::span(all);
    // Of ends below zero there is no geometric mean.
    let middle = (span.low + span.high) / 2.0;
    Interval { median: if span.median.is_nan() { middle } else { span.median }, ..span }
}

/// A quantity as a median with its interval.
pub fn interval(quantity: Quantity) -> Interval {
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
}

impl Row {
    /// Tests whether a name is that of a work of the race, or of those of a sweep.
    fn is_timed(&self, name: &str) -> bool {
        let mut works = self.experiments.iter().filter(|named| named.how == How::Race);
        works.any(|named| {
            let end = name.strip_prefix(&*named.name);
            let is_word = |end: &str| {
                end.strip_prefix('.').is_some_and(|word| named.words.iter().any(|one| one == word))
            };
            let is_gross =
                |end: &str| self.without_switches && end.strip_prefix('.') == Some(WITH_SWITCHES);
            end.is_some_and(|end| end.is_empty() || is_word(end) || is_gross(end))
        })
    }

    /// Tests whether an expression has the seconds of works in it.
    pub(super) fn times(&self, of: &Expression) -> bool {
        of.names.iter().any(|(name, _)| self.is_timed(name))
    }
}

/// The record of an experiment; of a sweep, the last number of each as a series, and after its word.
fn record(
    run: &mut Run<'_>,
    words: &[String],
    each: &[Experiment],
) -> Result<Rc<Record>, BoxedError> {
    let all = each.iter().map(|one| run.record(one)).collect::<Result<Vec<_>, _>>()?;
    if let ([only], []) = (&all[..], words) {
        return Ok(Rc::clone(only));
    }
    let mut swept = Record::new();
    for name in all[0].names() {
        let numbers = all.iter().map(|record| record.last(name)).collect::<Result<Vec<_>, _>>()?;
        for (word, number) in words.iter().zip(&numbers) {
            swept.one(format!("{word}.{name}"), *number);
        }
        swept.each(name, numbers);
    }
    Ok(Rc::new(swept))
}

/// A work of the race.
struct Raced {
    name: String,
    work: Work<'static>,
    /// Units of a run, by which its seconds and counts are divided.
    units: f64,
    experiment: Experiment,
}

impl Row {
    /// The expressions of its values, tables and charts that read works, with the parts of the sweep that they are of.
    fn expressions(&self) -> impl Iterator<Item = (&Expression, Part)> {
        let own = self.lines.iter().flat_map(|line| {
            let here = line.here.as_ref().map(|here| (&here.expression, here.over));
            line.expressions().map(|of| (of, line.over)).chain(here)
        });
        let drawn = self.charts.iter().flat_map(exhibits::Lines::over_sweep);
        own.chain(drawn.map(|of| (of, ALL)))
    }

    /// The values of the sweep below that of the experiments, and this last.
    fn values(&self, named: &[(&Named, Vec<Experiment>)]) -> Vec<f64> {
        let Some(sweep) = &self.over else { return vec![f64::NAN] };
        let each = named.iter().flat_map(|(_, each)| each);
        let own =
            each.filter_map(|one| numbers_of(one.settings().get(&sweep.setting)).first().copied());
        let own = own.fold(f64::NAN, f64::max);
        let smaller = sweep.values.iter().copied().filter(|value| *value < own);
        smaller.chain([own]).collect()
    }
}

/// Runs what a row names, and evaluates its lines.
pub fn check(run: &mut Run<'_>, claim: &Claim) -> Result<Found, BoxedError> {
    let row = claim.row;
    let experiments = run.experiments(claim)?;
    let named = row.named(run.quick, &run.given.words.clone())?;
    let values = row.values(&named);
    let own = values.len() - 1;
    let mut results = at(run, row, &named, (own, &values))?;
    for (name, picture) in &row.pictures {
        if let Some((_, record)) = results.records.iter().find(|(known, _)| known == name) {
            run.some_pictures(record, |one| picture.is_empty() || picture == one);
        }
    }
    for place in 0..own {
        results.smaller.push(at(run, row, &named, (place, &values))?);
    }
    if run.only_races {
        return Ok(Found::default());
    }
    let mut found = results.found()?;
    row.exhibit(run, &results)?;
    if let Some(words) = row.general.as_ref().filter(|_| row.beyond(&experiments).is_empty()) {
        found.expected = Some(claim.paper);
        found.quote = if run.given.words.is_empty() { String::new() } else { words.clone() };
    }
    Ok(found.because(&row.because).because(run.in_software(&row.in_software)))
}

/// Runs what a row names at a value of its sweep, by its place.
fn at<'r>(
    run: &mut Run<'_>,
    row: &'r Row,
    named: &[(&Named, Vec<Experiment>)],
    (place, values): (usize, &[f64]),
) -> Result<Results<'r>, BoxedError> {
    let (value, records, smaller) = (values[place], Vec::new(), Vec::new());
    let (mut works, mut results) =
        (Vec::new(), Results { row, value, records, laps: None, smaller });
    for (named, each) in named {
        let mut each = each.clone();
        if let Some(sweep) = row.over.as_ref().filter(|_| place + 1 < values.len()) {
            for one in each.iter_mut().filter(|one| one.takes(&sweep.setting)) {
                one.set(&sweep.setting, &value.to_string())?;
            }
        }
        match named.how {
            How::Run if run.only_races => {}
            How::Run => {
                let record = record(run, &named.words, &each)?;
                results.records.push((named.name.clone(), record));
            }
            How::Race => {
                for (place, experiment) in each.into_iter().enumerate() {
                    let word = named.words.get(place).map(|word| format!(".{word}"));
                    let name = named.name.clone() + &word.unwrap_or_default();
                    let work = repeated(experiment.work(run.place())?, named.times);
                    let is_aside = row.aside.contains(&named.name);
                    let work = if is_aside { run.aside(work) } else { work };
                    works.push(Raced { name, work, units: named.units(&experiment), experiment });
                }
            }
        }
    }
    if !works.is_empty() {
        let is_here = |part| self::places(part, values).contains(&place);
        let expressions: Vec<&Expression> =
            row.expressions().filter(|(_, part)| is_here(*part)).map(|(of, _)| of).collect();
        race(run, &mut results, works, &expressions)?;
    }
    Ok(results)
}

/// Races the works if an expression has their seconds, or the row has no sweep: their seconds, their settings, and if an
/// expression names them, their ledgers.
fn race(
    run: &mut Run<'_>,
    results: &mut Results<'_>,
    works: Vec<Raced>,
    expressions: &[&Expression],
) -> Result<(), BoxedError> {
    let row = results.row;
    let is_timed = row.over.is_none() || expressions.iter().any(|of| row.times(of));
    let (mut timed, mut known) = (Vec::new(), Vec::new());
    for Raced { name, work, units, experiment } in works {
        timed.push((name.clone(), work));
        known.push((name, units, experiment));
    }
    let is_counted = |name: &str| {
        name.split_once('.').is_some_and(|(first, rest)| {
            !rest.starts_with("settings.") && known.iter().any(|(known, ..)| known == first)
        })
    };
    let mut names = expressions.iter().flat_map(|expression| &expression.names);
    let is_counted = names.any(|(name, _)| is_counted(name));
    let mut race = Race::new(timed).chained(row.chain);
    for (name, units, _) in &known {
        race = race.per(name, *units);
    }
    if run.only_races {
        return if is_timed { race.laps(run).map(drop) } else { Ok(()) };
    }
    let a_switch = match row.without_switches {
        true => run.seconds_a_switch()?,
        false => 0.0,
    };
    let mut race = match row.card {
        Some(card) if row.without_switches => race.on(run.machine, card, |_| 0)?,
        Some(card) => match row.switches {
            Switches::Target => race.on(run.machine, card, |ledger| ledger.target_switches)?,
            Switches::Buffer => race.on(run.machine, card, |ledger| ledger.buffer_switches)?,
        },
        None if is_counted || row.without_switches => race.counted(run.machine)?,
        None => race,
    };
    for (place, (name, units, experiment)) in known.iter().enumerate() {
        let mut record = Record::new();
        if let Some(ledger) = race.ledgers().get(place) {
            record.ledger("", ledger);
            let on_card =
                |card: Card| Some(card.seconds(ledger).ok()? - card.switching_seconds(ledger));
            if let Some(seconds) = row.card.and_then(on_card) {
                record.one(ON_CARD, seconds);
            }
            record.per(*units);
        }
        record.settings(experiment.settings());
        results.records.push((name.clone(), Rc::new(record)));
    }
    if !is_timed {
        return Ok(());
    }
    let laps = race.laps(run)?;
    results.laps = Some(match row.without_switches {
        true => {
            let switches = race.counts(|ledger| ledger.target_switches as f64);
            laps.without_switches(&switches, a_switch).beside(&laps, &format!(".{WITH_SWITCHES}"))
        }
        false => laps,
    });
    Ok(())
}

/// Repeats a work, each time with another target.
fn repeated(mut work: Work<'static>, times: usize) -> Work<'static> {
    Box::new(move |run| (0..times).try_for_each(|n| work(run * times + n)))
}
