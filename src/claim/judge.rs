//! The judges of all claims: a claim does not judge itself.

use super::found::{Bound, Found, Measured, Value};
use super::printed::{Decision, Printed, is_between, processes_for};
use super::row::{Claim, Class};
use crate::card::cost::HELD_OUT;
use crate::timing::Interval;
use crate::timing::interval::short;

named! {
    /// Verdict on a claim.
    Verdict {
        /// The result is the paper's.
        Reproduced = "reproduced",
        /// A count, or the whole interval of a ratio, is outside its bounds.
        Differs = "differs",
        /// The interval contains a bound, or what is printed can be read in two ways.
        Undecided = "undecided",
        /// Its bound is closer to 1 than what this device can distinguish.
        NotResolvable = "not resolvable",
        /// The statement is about the speed of a card of 2003, which no model of that card decides.
        NotDecidable = "no longer decidable",
        /// The statement is about something that this device does not have.
        NotApplicable = "not applicable",
        /// The result is not the paper's, or could not be checked.
        NotReproduced = "not reproduced",
        /// It ran with a user's inputs, on which the paper makes no claim, or it is a timing of a quick run.
        NotJudged = "not judged",
        /// This driver lacks a feature that the programs need.
        NotRun = "not run",
    }
}

impl Verdict {
    /// Sign in reports, so that a verdict does not depend on colour alone.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Reproduced => "✓",
            Self::Differs => "≠",
            Self::Undecided => "?",
            Self::NotReproduced => "✗",
            Self::NotResolvable
            | Self::NotDecidable
            | Self::NotApplicable
            | Self::NotJudged
            | Self::NotRun => "–",
        }
    }
}

impl Verdict {
    /// Verdict on one value of a shape by its bound, and by the printed ratio if it is compared with that, with the
    /// floor of its machine.
    pub fn of(value: &Measured, bound: &Bound, printed: Option<Printed>, floor: f64) -> Self {
        let decision = match (printed, value) {
            (Some(printed), Measured::Number(ratio)) => printed.decide(*ratio, floor),
            _ => Decision::of(bound.is_kept(value, floor)),
        };
        Self::from(decision)
    }
}

impl From<Decision> for Verdict {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Kept => Self::Reproduced,
            Decision::Missed => Self::Differs,
            Decision::Open | Decision::OpenInPrint => Self::Undecided,
            Decision::Unresolvable => Self::NotResolvable,
        }
    }
}

impl Bound {
    /// Tests whether a value satisfies it, with the floor of its machine. `None` if a measured one is on neither side.
    pub fn is_kept(&self, value: &Measured, floor: f64) -> Option<bool> {
        let between = |interval: &Interval, ends| is_between(*interval, ends, floor);
        match (self, value) {
            (Self::None, Measured::Text(_)) => Some(true),
            (Self::Is(expected), Measured::Text(text)) => Some(expected == text),
            (_, Measured::Text(_)) => Some(false),
            (Self::None | Self::Printed, Measured::Number(i)) => Some(!i.median.is_nan()),
            (Self::Equal(expected), Measured::Number(i)) => {
                Some(i.low == *expected && i.high == *expected)
            }
            (Self::AtMost(most), Measured::Number(i)) => between(i, [f64::NEG_INFINITY, *most]),
            (Self::AtLeast(least), Measured::Number(i)) => between(i, [*least, f64::INFINITY]),
            (Self::Between(least, most), Measured::Number(i)) => between(i, [*least, *most]),
            (Self::Curve(printed), Measured::Number(i)) => {
                let is_met = i.low <= *printed && *printed <= i.high;
                let side = match *printed {
                    p if p > 1.0 => [1.0, f64::INFINITY],
                    p if p < 1.0 => [0.0, 1.0],
                    _ => [0.0, f64::INFINITY],
                };
                if is_met { between(i, side) } else { Some(false) }
            }
            (Self::Is(_), Measured::Number(_)) => Some(false),
        }
    }
}

/// The verdict on a result, and a sentence on what would decide it if it is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Verdict.
    pub verdict: Verdict,
    /// Sentence on what would decide it; empty if it is decided.
    pub remark: String,
}

/// Judges a result by its row, with the floor of its machine. With a user's inputs the verdict is withheld, unless the
/// result gives the expectation for them.
pub fn judge(claim: &Claim, found: &Found, has_inputs: bool, floor: f64) -> Judgement {
    let judged = |verdict, remark| Judgement { verdict, remark };
    if has_inputs && found.expected.is_none() {
        return judged(Verdict::NotJudged, String::new());
    }
    let may_differ = claim.class.may_differ();
    let refuted = if may_differ { Verdict::Differs } else { Verdict::NotReproduced };
    let decided = decisions(claim, found, floor);
    let first = |decision| decided.iter().find(|(one, _)| *one == decision);
    let none = String::new();
    match () {
        // Nothing was compared: a check that cannot fail does not reproduce anything.
        () if decided.is_empty() => judged(Verdict::NotReproduced, none),
        () if first(Decision::Missed).is_some() => judged(refuted, none),
        () if decided.iter().all(|(one, _)| *one == Decision::Kept) => {
            judged(Verdict::Reproduced, none)
        }
        () if !may_differ => judged(refuted, none),
        () => {
            let order = [Decision::Unresolvable, Decision::OpenInPrint, Decision::Open];
            let open = order.into_iter().find_map(first);
            let verdict = match open {
                Some((Decision::Unresolvable, _)) => Verdict::NotResolvable,
                _ => Verdict::Undecided,
            };
            judged(verdict, open.map_or(none, |(_, remark)| remark.clone()))
        }
    }
}

/// Judges a statement about the speed of a card of 2003 by the model of that card, whose values have the interval of its
/// held-out timings. What the model does not know, or was fitted to, is open; seconds of other devices decide nothing.
pub fn on_its_card(claim: &Claim, values: &[Value]) -> Verdict {
    let is_fitted = claim.row.is_fitted;
    let next = values.iter().skip(1).map(Some).chain([None]);
    let judged = values.iter().zip(next).filter(|(value, _)| value.bound != Bound::None);
    let (mut found, mut is_known) = (Found::default(), !is_fitted);
    for (value, next) in judged {
        let model = next.filter(|next| next.is_model && !is_fitted);
        let measured = match (&value.measured, model.map(|model| &model.measured)) {
            (Measured::Number(here), Some(Measured::Number(model))) if here.rounds > 0 => {
                Measured::Number(model.within_factor((2.0 * HELD_OUT).exp()))
            }
            (Measured::Number(here), _) if here.rounds > 0 => {
                is_known = false;
                Measured::Number(Interval::from(1.0).within_factor(f64::INFINITY))
            }
            (exact @ Measured::Number(_), _) => exact.clone(),
            // An order of times.
            (Measured::Text(_), _) => {
                is_known = false;
                continue;
            }
        };
        found.values.push(Value { measured, ..value.clone() });
    }
    if found.values.is_empty() {
        return Verdict::NotDecidable;
    }
    match judge(claim, &found, false, 0.0).verdict {
        Verdict::Undecided if is_known => Verdict::NotResolvable,
        Verdict::Undecided | Verdict::Reproduced if !is_known => Verdict::NotDecidable,
        verdict => verdict,
    }
}

/// Compares each value of a result with what is expected of it. Several timings are at one level together.
fn decisions(claim: &Claim, found: &Found, floor: f64) -> Vec<(Decision, String)> {
    let is_timed = |value: &&Value| match value.measured {
        Measured::Number(number) => value.bound != Bound::None && number.processes > 1,
        Measured::Text(_) => false,
    };
    let together = found.values.iter().filter(is_timed).count();
    let keys: Vec<Interval> = found.printed().map(|key| key.among(together)).collect();
    let is_judged = |value: &Value| !matches!(value.bound, Bound::None | Bound::Printed);
    let kept = found.values.iter().map(|value| {
        let measured = match &value.measured {
            Measured::Number(number) => Measured::Number(number.among(together)),
            text => text.clone(),
        };
        let decision = Decision::of(value.bound.is_kept(&measured, floor));
        let remark = match (&measured, value.bound.ends()) {
            (Measured::Number(number), Some(ends)) => remark(decision, *number, ends, floor),
            _ => String::new(),
        };
        (decision, remark)
    });
    let exact = |is_kept: bool| (Decision::of(Some(is_kept)), String::new());
    let mut decided: Vec<_> = match found.expected.unwrap_or(claim.paper) {
        Printed::Words(_) => {
            found.values.iter().filter(|v| is_judged(v)).map(|_| exact(true)).collect()
        }
        printed => {
            let each = printed.each();
            // One ratio for each printed ratio, in their order.
            let fits = each.len() == keys.len() || each.len() == 1;
            let pairs = keys.iter().zip(each.iter().cycle()).map(|(&key, printed)| {
                let decision = match claim.class {
                    Class::Count | Class::Consistency => printed.decide_count(key),
                    _ => printed.decide(key, floor),
                };
                let ends = printed.range();
                let remark = match (decision, printed) {
                    (Decision::OpenInPrint, Printed::Rounded(_, ends)) => {
                        let [low, high] = ends.map(short);
                        format!("The print leaves it open: it allows {low} to {high}.")
                    }
                    _ => ends.map_or_else(String::new, |ends| remark(decision, key, ends, floor)),
                };
                (decision, remark)
            });
            pairs.chain((!fits).then(|| exact(false))).collect()
        }
    };
    if !decided.is_empty() {
        decided.extend(kept);
    }
    decided
}

/// A sentence on what would decide an open number between two ends; empty if it is decided.
fn remark(decision: Decision, number: Interval, ends: [f64; 2], floor: f64) -> String {
    let percent = || short(100.0 * floor);
    match (decision, number.processes) {
        (Decision::Unresolvable, _) => {
            format!("A bound is closer to 1 than the floor of this device, {} %.", percent())
        }
        (Decision::Open, 1) => "One process decides nothing.".to_owned(),
        (Decision::Open, 2..) => match processes_for(number, ends, floor) {
            Some(processes) => format!("About {processes} processes would decide it."),
            None => format!(
                "It is within the floor of this device, {} %, of a bound, or too near to it for 1000 processes.",
                percent()
            ),
        },
        _ => String::new(),
    }
}

/// The judgement on a timing of a quick run: both numbers and no verdict. None for other rows.
pub fn of_quick_run(claim: &Claim, found: &Found) -> Option<Judgement> {
    let is_judged = |value: &&Value| value.bound != Bound::None;
    let is_timed = found.values.iter().filter(is_judged).any(|value| match value.measured {
        Measured::Number(number) => number.rounds > 0,
        Measured::Text(_) => false,
    });
    if !claim.is_timed() || !is_timed {
        return None;
    }
    let here = found.values.iter().find(|value| value.is_key).map(Value::text);
    let (here, printed) = (here.unwrap_or_default(), claim.printed);
    let remark = format!("Measured {here}, printed {printed}; a full run judges.");
    Some(Judgement { verdict: Verdict::NotJudged, remark })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::printed::MARGIN;

    fn between(low: f64, high: f64) -> Interval {
        Interval { median: (low * high).sqrt(), low, high, rounds: 9, ..Interval::default() }
    }

    /// A result with these values.
    fn found<const N: usize>(values: [(Measured, Bound); N]) -> Found {
        let values = values.map(|(measured, bound)| Value::of("a", measured, "", bound));
        Found { values: values.into(), ..Found::default() }
    }

    fn verdict<const N: usize>(row: &Claim, values: [(Measured, Bound); N]) -> Verdict {
        judge(row, &found(values), false, MARGIN).verdict
    }

    #[test]
    fn a_claim_in_numbers_holds_within_the_bounds_of_its_row() {
        let row = Claim::of("tolerance", "value.a = \"factor: 1 in 0.079 to 0.097\"");
        let factor = |value: f64| (value.into(), Bound::Between(0.079, 0.097));
        assert_eq!(verdict(&row, [factor(0.09)]), Verdict::Reproduced);
        assert_eq!(verdict(&row, [factor(0.1)]), Verdict::NotReproduced);
        assert_eq!(verdict(&row, [factor(f64::NAN)]), Verdict::NotReproduced);
        let also = |off: f64| [factor(0.088), (off.into(), Bound::AtMost(1e-3))];
        assert_eq!(verdict(&row, also(1e-4)), Verdict::Reproduced);
        assert_eq!(verdict(&row, also(1e-2)), Verdict::NotReproduced);
    }

    #[test]
    fn a_claim_in_words_needs_a_bound_that_can_be_missed() {
        let row = Claim::of("exact", "value.a = \"rectangle: 1 == 1\"");
        let is = |text: &str| [(text.to_owned().into(), Bound::Is("26×18".to_owned()))];
        assert_eq!(verdict(&row, is("26×18")), Verdict::Reproduced);
        assert_eq!(verdict(&row, is("25×18")), Verdict::NotReproduced);
        assert_eq!(verdict(&row, [(26.0.into(), Bound::None)]), Verdict::NotReproduced);
    }

    #[test]
    fn a_count_that_is_not_the_paper_s_differs_and_is_no_gate() {
        let row = Claim::of("count", "value.a = \"ratio: 2 = 2\"");
        let verdict = |ratio: f64| verdict(&row, [(ratio.into(), Bound::Printed)]);
        assert_eq!([2.0, 2.1].map(verdict), [Verdict::Reproduced, Verdict::Differs]);
        assert!(!row.class.is_binding() && row.class.is_counted() && !row.is_performance());
    }

    #[test]
    fn timings_differ_are_undecided_or_reproduced_all_of_them() {
        let row = Claim::of("shape", "value.a = \"a: 2 = 2\"\nvalue.b = \"b: 3 = 3\"");
        let both = |one: Interval, other: Interval| {
            verdict(&row, [one, other].map(|ratio| (ratio.into(), Bound::Printed)))
        };
        let (good, straddles, bad) = (between(1.9, 2.1), between(1.0, 2.5), between(0.9, 1.1));
        assert_eq!(both(good, between(2.5, 3.5)), Verdict::Reproduced);
        assert_eq!(both(good, straddles), Verdict::Undecided);
        assert_eq!(both(straddles, bad), Verdict::Differs);
        assert_eq!(verdict(&row, [(good.into(), Bound::Printed)]), Verdict::Differs);
    }

    #[test]
    fn a_curve_keeps_its_side_of_one_and_meets_the_printed_number() {
        let row = Claim::of("shape", "value.a = \"a: 3 meets 3\"");
        let curve = |low, high, printed| {
            verdict(&row, [(between(low, high).into(), Bound::Curve(printed))])
        };
        assert_eq!(curve(1.2, 30.0, 3.0), Verdict::Reproduced);
        assert_eq!(curve(0.9, 30.0, 3.0), Verdict::Undecided);
        assert_eq!(curve(1.2, 2.0, 3.0), Verdict::Differs);
        assert_eq!(curve(0.5, 2.0, 1.0), Verdict::Reproduced);
    }

    #[test]
    fn inputs_of_the_user_s_are_judged_by_what_is_expected_of_them_or_not_at_all() {
        let row = Claim::of("tolerance", "value.a = \"factor: 2 = 2\"");
        let found = found([(0.2.into(), Bound::Printed)]);
        assert_eq!(judge(&row, &found, true, MARGIN).verdict, Verdict::NotJudged);
        let expected = Found { expected: Some(Printed::Ratio(0.198)), ..found };
        assert_eq!(judge(&row, &expected, true, MARGIN).verdict, Verdict::Reproduced);
    }
}
