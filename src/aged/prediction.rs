//! Errors of predictions: the ratio that a machine's limits let one expect, the printed one, and no effect.

use super::expected::{ARGUED, Limits};
use super::{Kind, Machine, Sentence};
use crate::base::table::{Cell, Table};
use crate::timing::Interval;
use crate::timing::interval::short;

/// Sentences whose expectation has a number that was fitted to a row of the same report.
const FITTED: [&str; 4] = ["half", "dpp", "rej", "fast"];
/// Sentences whose waits are taken from each other's solve.
const CIRCULAR: [&str; 2] = ["fin", "c7"];

/// SHA-256 of the formulas, which do not change before the next card is measured.
pub const FORMULAS: &str = "a9ab3f211b52cb2fd850f91cddc70ec083cf830b9497e29c410205cd8df9ee14";

/// A sentence with the range that limits let one expect, and the ratio that was found.
pub(super) struct Prediction<'s> {
    pub sentence: &'s Sentence,
    pub range: [f64; 2],
    pub found: Interval,
}

impl Prediction<'_> {
    /// Geometric mean of the range.
    pub fn expected(&self) -> f64 {
        (self.range[0] * self.range[1]).sqrt()
    }

    fn is_independent(&self) -> bool {
        !ARGUED.iter().chain(&FITTED).chain(&CIRCULAR).any(|&key| key == self.sentence.key)
    }
}

/// The machine whose limits predict: this one, or the last one that has some.
fn limited<'m>(machine: &'m Machine, machines: &'m [Machine]) -> Option<&'m Machine> {
    let has_limits = |one: &&Machine| one.limits.is_some();
    Some(machine).filter(has_limits).or_else(|| machines.iter().rfind(has_limits))
}

/// The sentences with a prediction and a ratio on a machine.
pub(super) fn predictions<'s>(
    sentences: &'s [Sentence],
    machine: &Machine,
    machines: &[Machine],
) -> Vec<Prediction<'s>> {
    let limits = limited(machine, machines).and_then(|one| one.limits.as_ref());
    let all = sentences.iter().filter_map(|sentence| {
        let range = limits?.expected(sentence.key)?;
        Some(Prediction { sentence, range, found: sentence.measured(&machine.report)? })
    });
    all.collect()
}

/// Root mean square of ln(found / predicted).
fn error(
    of: &[&Prediction<'_>],
    predicted: impl Fn(&Prediction<'_>) -> Option<f64>,
) -> Option<f64> {
    let squares = of.iter().map(|one| Some((one.found.median / predicted(one)?).ln().powi(2)));
    let squares: Vec<f64> = squares.collect::<Option<_>>()?;
    (!squares.is_empty()).then(|| (squares.iter().sum::<f64>() / squares.len() as f64).sqrt())
}

/// Errors of a set of sentences on a machine: their number, and those of the expected, the printed and no effect.
fn errors(of: &[&Prediction<'_>]) -> (usize, [Option<f64>; 3]) {
    let expected = error(of, |one| Some(one.expected()));
    (of.len(), [expected, error(of, |one| one.sentence.number), error(of, |_| Some(1.0))])
}

/// All, those that print a number, and those whose expectation is neither argued, fitted nor circular.
/// A choice of predictions.
type Choice = fn(&Prediction<'_>) -> bool;

const SETS: [(&str, Choice); 3] = [
    ("all", |_| true),
    ("with a printed gain", |one| one.sentence.number.is_some()),
    ("independent", |one| one.is_independent()),
];

/// The result: what limits predict, in words and as a table.
pub(super) fn result(sentences: &[Sentence], machines: &[Machine]) -> String {
    let head = ["machine", "limits of", "sentences", "number", "expected", "printed", "no effect"];
    let (mut table, mut text) = (Table::new("", head), String::new());
    // The machine whose limits were known first is in front.
    for machine in machines.iter().rev() {
        let all = predictions(sentences, machine, machines);
        let Some(of) = limited(machine, machines).filter(|_| !all.is_empty()) else { continue };
        let sets = SETS.map(|(name, is_in)| {
            let its: Vec<&Prediction<'_>> = all.iter().filter(|one| is_in(one)).collect();
            let (number, errors) = errors(&its);
            let cells = [&*machine.name, &of.name, name].map(Cell::from).into_iter();
            let shown = errors.map(|error| error.map_or("–".into(), |error| short(error).into()));
            table.push(cells.chain([number.into()]).chain(shown));
            (number, errors)
        });
        let percent = |error: Option<f64>| 100.0 * error.unwrap_or(f64::NAN);
        let [(number, [expected, ..]), (with, [own, printed, none]), _] = sets;
        text += &format!(
            "On {}, limits of {} predict what {number} changes gain to {:.0} % (root mean square of the logarithm). Of {with} \
             that print a gain, the printed one is off by a factor of {:.1}, no effect by {:.0} %, and the expected one by \
             {:.0} %. ",
            machine.name,
            of.name,
            percent(expected),
            printed.map_or(f64::NAN, f64::exp),
            percent(none),
            percent(own),
        );
    }
    if text.is_empty() {
        return text;
    }
    let kept: Vec<String> =
        machines.iter().rev().filter_map(|one| kept(sentences, one, machines)).collect();
    format!(
        "{}\n\nAn effect of 2003, printed or by the model of its card, keeps this share of its logarithm, with its standard \
         error: {}.\n\nThe formulas were written after the values of the two GPUs. Both have one die, so that this is one \
         architecture, in sample. The limits of llvmpipe were measured afterwards. For the next card the formulas are frozen: \
         the SHA-256 of their text in `src/aged/expected.rs` begins with {}. [One page](../your-card.md) tells how to test \
         them on yours.\n\n{}\nThe errors are root mean squares of ln(measured / predicted). *Independent* sentences have an \
         expectation that is neither 1 by argument, nor uses a number that was fitted to the same report or taken from the other sentence about waits.\n\n",
        text.trim_end(),
        kept.join(", "),
        &FORMULAS[..12],
        table.markdown(|column| column > 2),
    )
}

/// Share of an effect's logarithm that is left on a machine: a line through the origin, and its standard error.
fn kept(sentences: &[Sentence], machine: &Machine, machines: &[Machine]) -> Option<String> {
    let advice = sentences.iter().filter(|one| one.kind == Kind::Advice);
    let pairs = advice.filter_map(|one| {
        let its = || machines.first().and_then(|machine| one.on_its_card(&machine.report));
        let then =
            one.number.or_else(|| one.counts().is_none().then(its)?.map(|its| its.median))?;
        Some([then.ln(), one.measured(&machine.report)?.median.ln()])
    });
    let pairs: Vec<[f64; 2]> = pairs.collect();
    let sum = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
    let square = sum(&|[x, _]| x * x);
    let slope = sum(&|[x, y]| x * y) / square;
    let rest = sum(&|[x, y]| (y - slope * x).powi(2)) / (pairs.len() as f64 - 1.0);
    let error = (rest / square).sqrt();
    let text = format!("{slope:.2} ± {error:.2} of {} on {}", pairs.len(), machine.name);
    (pairs.len() > 2).then_some(text)
}

/// The limits of the machines that have some, with their intervals.
pub(super) fn limits(machines: &[Machine]) -> String {
    let of: Vec<(&str, &Limits)> = machines
        .iter()
        .filter_map(|machine| Some((&*machine.name, machine.limits.as_ref()?)))
        .collect();
    let mut table = Table::new("", ["limit"].into_iter().chain(of.iter().map(|(name, _)| *name)));
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in of.iter().flat_map(|(_, limits)| limits.lines()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let cells = of.iter().map(|(_, limits)| {
            let line = limits.lines().find(|(one, _)| *one == name);
            line.map_or("–".into(), |(_, [value, low, high])| match low == high {
                true => short(value),
                false => format!("{} [{}, {}]", short(value), short(low), short(high)),
            })
        });
        table.row([name.to_owned()].into_iter().chain(cells));
    }
    table.markdown(|column| column > 0)
}

#[cfg(test)]
mod tests {
    use super::super::sentences;
    use super::*;

    #[test]
    fn an_error_is_that_of_logarithms() {
        let all = sentences();
        let of = |median: f64, range| Prediction { sentence: &all[0], range, found: median.into() };
        let [twice, half] = [of(2.0, [1.0, 1.0]), of(0.5, [0.5, 2.0])];
        let found = error(&[&twice, &half], |one| Some(one.expected()));
        assert!((found.unwrap() - 2.0_f64.ln()).abs() < 1e-15);
        assert_eq!(error(&[&twice], |_| None), None);
        assert_eq!(error(&[], |_| Some(1.0)), None);
    }
}
