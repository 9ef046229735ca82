//! The judges of all claims: a claim does not judge itself.

use super::found::{Bound, Found, Measured, Value};
use super::printed::{Printed, is_between};
use super::row::Claim;
use crate::timing::Interval;

named! {
    /// Verdict on a claim.
    Verdict {
        /// The result is the paper's.
        Reproduced = "reproduced",
        /// A count, or the whole interval of a ratio, is outside its bounds.
        Differs = "differs",
        /// The interval still straddles a bound when the budget of rounds is spent.
        Undecided = "undecided",
        /// The statement is about something that this device does not have.
        NotApplicable = "not applicable",
        /// The result is not the paper's, or could not be checked.
        NotReproduced = "not reproduced",
        /// It ran with a user's inputs, on which the paper makes no claim.
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
            Self::NotApplicable | Self::NotJudged | Self::NotRun => "–",
        }
    }
}

impl Verdict {
    /// Verdict on one value of a shape by its bound, and by the printed ratio if it is compared with that.
    pub fn of(value: &Measured, bound: &Bound, printed: Option<Printed>) -> Self {
        let is_kept = match (printed, value) {
            (Some(printed), Measured::Number(ratio)) => printed.is_reproduced(*ratio),
            _ => bound.is_kept(value),
        };
        is_kept.map_or(
            Self::Undecided,
            |is_kept| if is_kept { Self::Reproduced } else { Self::Differs },
        )
    }
}

impl Bound {
    /// Tests whether a value satisfies it. `None` if a measured one is on neither side.
    pub fn is_kept(&self, value: &Measured) -> Option<bool> {
        let between = |interval: &Interval, ends| is_between(*interval, ends);
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
            (Self::Is(_), Measured::Number(_)) => Some(false),
        }
    }
}

/// Judges a result by its row. With a user's inputs the verdict is withheld, unless the result gives the
/// expectation for them.
pub fn judge(claim: &Claim, found: &Found, has_inputs: bool) -> Verdict {
    if has_inputs && found.expected.is_none() {
        return Verdict::NotJudged;
    }
    let may_differ = claim.class.may_differ();
    let refuted = if may_differ { Verdict::Differs } else { Verdict::NotReproduced };
    let decided = decisions(claim, found);
    match () {
        // Nothing was compared: a check that cannot fail does not reproduce anything.
        () if decided.is_empty() => Verdict::NotReproduced,
        () if decided.contains(&Some(false)) => refuted,
        () if !decided.contains(&None) => Verdict::Reproduced,
        () if may_differ => Verdict::Undecided,
        () => refuted,
    }
}

/// Tests each value of a result; `None` if it is not decided.
fn decisions(claim: &Claim, found: &Found) -> Vec<Option<bool>> {
    let keys: Vec<Interval> = found.printed().collect();
    let is_judged = |value: &Value| !matches!(value.bound, Bound::None | Bound::Printed);
    let kept = found.values.iter().map(|value| value.bound.is_kept(&value.measured));
    let mut decided: Vec<Option<bool>> = match found.expected.unwrap_or(claim.paper) {
        Printed::Words(_) => {
            found.values.iter().filter(|v| is_judged(v)).map(|_| Some(true)).collect()
        }
        Printed::Value(expected, _) => {
            let off = |key: &Interval| (key.low - expected).abs().max((key.high - expected).abs());
            keys.iter().map(|key| Some(off(key) <= claim.within)).collect()
        }
        printed => {
            let each = printed.each();
            // One ratio for each printed ratio, in their order.
            let fits = each.len() == keys.len() || each.len() == 1;
            let pairs = keys.iter().zip(each.iter().cycle());
            let pairs = pairs.map(|(&key, printed)| printed.is_reproduced(key));
            pairs.chain((!fits).then_some(Some(false))).collect()
        }
    };
    if !decided.is_empty() {
        decided.extend(kept);
    }
    decided
}

#[cfg(test)]
mod tests {
    use super::super::row::{count, exact, shape, tolerance};
    use super::*;

    fn between(low: f64, high: f64) -> Interval {
        Interval { median: (low * high).sqrt(), low, high, rounds: 9 }
    }

    fn unchecked(_: &mut super::super::Run<'_>, _: &Claim) -> super::super::Checked {
        Err("judged only".into())
    }

    #[test]
    fn a_claim_in_numbers_holds_within_the_bound_of_its_row() {
        let row = tolerance("a", "", "", Printed::Value(0.088, ""), unchecked).within(0.009);
        let found = |value: f64| Found::value("factor", value);
        assert_eq!(judge(&row, &found(0.09), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &found(0.1), false), Verdict::NotReproduced);
        assert_eq!(judge(&row, &found(f64::NAN), false), Verdict::NotReproduced);
        let also = |off: f64| found(0.088).at_most("off", off, 1e-3);
        assert_eq!(judge(&row, &also(1e-4), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &also(1e-2), false), Verdict::NotReproduced);
    }

    #[test]
    fn a_claim_in_words_needs_a_bound_that_can_be_missed() {
        let row = exact("a", "", "", Printed::Words("26×18"), unchecked);
        let is = |text: &str| Found::new().is("rectangle", text, "26×18");
        assert_eq!(judge(&row, &is("26×18"), false), Verdict::Reproduced);
        assert_eq!(judge(&row, &is("25×18"), false), Verdict::NotReproduced);
        let shown = Found::new().shows("rectangle", 26.0);
        assert_eq!(judge(&row, &shown, false), Verdict::NotReproduced);
    }

    #[test]
    fn a_count_that_is_not_the_paper_s_differs_and_is_no_gate() {
        let row = count("a", "", "", Printed::Ratio(2.0), unchecked);
        let verdict = |ratio: f64| judge(&row, &Found::value("ratio", ratio), false);
        assert_eq!([2.1, 1.0].map(verdict), [Verdict::Reproduced, Verdict::Differs]);
        assert!(!row.class.is_binding() && row.class.is_counted() && !row.is_performance());
    }

    #[test]
    fn timings_differ_are_undecided_or_reproduced_all_of_them() {
        const PAIR: Printed = Printed::Ratios(&[("a", 2.0), ("b", 3.0)]);
        let row = shape("a", "", "", PAIR, unchecked);
        let found = |a, b| Found::new().ratio("a", a).ratio("b", b);
        let verdict = |a, b| judge(&row, &found(a, b), false);
        let (good, straddles, bad) = (between(1.9, 2.1), between(1.0, 2.5), between(0.9, 1.1));
        assert_eq!(verdict(good, between(2.5, 3.5)), Verdict::Reproduced);
        assert_eq!(verdict(good, straddles), Verdict::Undecided);
        assert_eq!(verdict(straddles, bad), Verdict::Differs);
        let one = Found::new().ratio("a", good);
        assert_eq!(judge(&row, &one, false), Verdict::Differs);
    }

    #[test]
    fn inputs_of_the_user_s_are_judged_by_what_is_expected_of_them_or_not_at_all() {
        let row = tolerance("a", "", "", Printed::Value(0.088, ""), unchecked).within(0.01);
        let found = Found::value("factor", 0.2);
        assert_eq!(judge(&row, &found, true), Verdict::NotJudged);
        let expected = found.expecting(Printed::Value(0.198, ""));
        assert_eq!(judge(&row, &expected, true), Verdict::Reproduced);
    }
}
