//! A paper's number, and the ranges in which a ratio is reproduced.

use crate::timing::interval::{FEWEST, Interval, short};

/// A paper's number, written once, with which a result is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Printed {
    /// A ratio of two costs: reproduced within a factor of 1.5 on both sides, on the same side of 1, and, if the
    /// printed ratio is within that factor of 1, with an effect between a quarter of the printed one and four times
    /// that.
    Ratio(f64),
    /// A ratio whose digits or words allow others: it is reproduced if it reproduces all of them from the first to the
    /// last.
    Rounded(f64, [f64; 2]),
    /// A ratio that is printed as almost exact: reproduced between these ends.
    Almost(f64, [f64; 2]),
    /// Several such ratios by name; all have to be reproduced.
    Ratios(&'static [(&'static str, f64)]),
    /// A ratio above 1 without a printed number.
    Faster,
    /// A ratio below 1 without a printed number.
    Slower,
    /// Words: judged by the bounds of the result's values.
    Words(&'static str),
}

/// Factor within which a ratio agrees with the printed one.
pub const FACTOR: f64 = 1.5;

/// Factor within which a small effect, the difference of a ratio from 1, agrees with the printed one.
const EFFECT: f64 = 4.0;

/// Share of a bound within which a number of one process is on neither side of it, because another process would decide
/// otherwise.
pub const MARGIN: f64 = 0.03;

/// Share of a printed effect, the difference of a ratio from 1, that this margin does not exceed.
const SHARE: f64 = 0.1;

/// Result of the comparison of a value with what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is as expected.
    Kept,
    /// It is not.
    Missed,
    /// Its interval contains a bound, or is within the floor of it.
    Open,
    /// The print allows several numbers: it reproduces some of them and misses others.
    OpenInPrint,
    /// The bound is closer to 1 than the floor.
    Unresolvable,
}

impl Decision {
    /// The decision on a condition that holds, does not, or is not decided.
    pub fn of(is_kept: Option<bool>) -> Self {
        is_kept.map_or(Self::Open, |is_kept| if is_kept { Self::Kept } else { Self::Missed })
    }
}

/// Tests whether a number is between two ends. `None` if its interval straddles an end or its margin, or has too few
/// rounds. For processes the margin is the floor.
pub fn is_between(number: Interval, ends: [f64; 2], floor: f64) -> Option<bool> {
    is_within(number, ends, if number.processes > 0 { floor } else { MARGIN })
}

/// Tests it with this margin.
fn is_within(number: Interval, [least, most]: [f64; 2], margin: f64) -> Option<bool> {
    let margin = if number.rounds == 0 { 0.0 } else { margin };
    let is_alone = number.processes == 1 || number.processes == 0 && number.rounds < FEWEST;
    if number.rounds > 0 && is_alone || number.median.is_nan() {
        return (number.rounds == 0).then_some(false);
    }
    let [below, above] = [1.0 - margin, 1.0 + margin];
    if number.low >= moved(least, above) && number.high <= moved(most, below) {
        return Some(true);
    }
    (number.high < moved(least, below) || number.low > moved(most, above)).then_some(false)
}

/// An end that is moved by a factor; one below zero, in the same direction.
fn moved(end: f64, factor: f64) -> f64 {
    if end < 0.0 { end * (2.0 - factor) } else { end * factor }
}

/// About how many processes decide a number that is open between these ends; none if none do, or too many.
pub fn processes_for(number: Interval, ends: [f64; 2], floor: f64) -> Option<usize> {
    let [below, above] = [1.0 - floor, 1.0 + floor];
    let [[less, least], [most, more]] =
        [ends[0], ends[1]].map(|end| [moved(end, below), moved(end, above)]);
    let is_far = |end: f64| !end.is_finite() || end <= 0.0;
    let to = |end: f64| if is_far(end) { Some(0) } else { number.processes_to(end) };
    match number.median {
        r if r > least && r < most => Some(to(least)?.max(to(most)?)),
        r if r < less => to(less),
        r if r > more => to(more),
        _ => None,
    }
}

impl Printed {
    /// Ends of the range in which a ratio is reproduced; none if no single ratio is printed.
    pub fn range(&self) -> Option<[f64; 2]> {
        let ratio = match *self {
            Self::Ratio(ratio) => ratio,
            Self::Faster => return Some([1.0, f64::INFINITY]),
            Self::Slower => return Some([0.0, 1.0]),
            Self::Almost(_, ends) => return Some(ends),
            Self::Rounded(..) => {
                let all = self.readings();
                let ranges = all.iter().filter_map(Self::range);
                return ranges.reduce(|[a, b], [c, d]| [a.max(c), b.min(d)]);
            }
            Self::Ratios(_) | Self::Words(_) => return None,
        };
        let [least, most] = [ratio / FACTOR, ratio * FACTOR];
        // Two equal costs have no effect.
        if ratio == 1.0 || !(1.0 / FACTOR..=FACTOR).contains(&ratio) {
            return Some([least, most]);
        }
        let effects = [1.0 + (ratio - 1.0) / EFFECT, 1.0 + (ratio - 1.0) * EFFECT];
        Some([least.max(effects[0].min(effects[1])), most.min(effects[0].max(effects[1]))])
    }

    /// The ratios that the print allows: the ends, and what is between them and behaves in another way.
    fn readings(&self) -> Vec<Self> {
        match *self {
            Self::Rounded(ratio, [low, high]) => {
                let is_between = |one: &f64| (low..=high).contains(one);
                [low, ratio, 1.0, high].into_iter().filter(is_between).map(Self::Ratio).collect()
            }
            one => vec![one],
        }
    }

    /// Share of its ends within which a ratio is on neither side of them: the floor for processes.
    fn share(&self, ratio: Interval, floor: f64) -> f64 {
        match *self {
            _ if ratio.processes > 0 => floor,
            Self::Ratio(ratio) if ratio != 1.0 => MARGIN.min(SHARE * (ratio - 1.0).abs()),
            _ => MARGIN,
        }
    }

    /// Tests whether a ratio reproduces one that is printed. `None` if it is not decided, or if no ratio is printed.
    fn is_reproduced(&self, ratio: Interval, floor: f64) -> Option<bool> {
        // For a mere direction, 1 itself is on neither side.
        let is_one = ratio.low == 1.0 || ratio.high == 1.0;
        let is_direction = matches!(self, Self::Faster | Self::Slower);
        let is_reproduced = is_within(ratio, self.range()?, self.share(ratio, floor))?;
        (!is_reproduced || !is_one || !is_direction).then_some(is_reproduced)
    }

    /// Compares a ratio with the printed one, whatever that allows.
    pub fn decide(&self, ratio: Interval, floor: f64) -> Decision {
        let readings = self.readings();
        let each: Vec<_> = readings.iter().map(|one| one.is_reproduced(ratio, floor)).collect();
        match each[..] {
            _ if each.contains(&Some(true)) && each.contains(&Some(false)) => Decision::OpenInPrint,
            _ if ratio.processes > 0 && !self.is_resolvable(floor) => Decision::Unresolvable,
            [first, ..] if each.iter().all(|one| *one == first) => Decision::of(first),
            _ => Decision::Open,
        }
    }

    /// Compares a ratio of counts with the printed one: it is rounded to the same digits, or between the ends that its digits
    /// and words allow.
    pub fn decide_count(&self, ratio: Interval) -> Decision {
        let all = |is_kept: &dyn Fn(f64) -> bool| {
            Decision::of(Some([ratio.low, ratio.high].into_iter().all(is_kept)))
        };
        match *self {
            Self::Ratio(printed) => all(&|one| short(one) == short(printed)),
            Self::Rounded(_, [low, high]) => all(&|one| (low..=high).contains(&one)),
            one => one.decide(ratio, 0.0),
        }
    }

    /// Tests whether the bounds of a ratio are as far from 1 as the floor, or 1.
    pub fn is_resolvable(&self, floor: f64) -> bool {
        let ratio = match *self {
            Self::Rounded(ratio, _) => Self::Ratio(ratio),
            one => one,
        };
        let is_near = |end: f64| end != 1.0 && end > 0.0 && end.ln().abs() < floor;
        !ratio.range().is_some_and(|ends| ends.into_iter().any(is_near))
    }

    /// The printed ratios one by one; empty if none is printed.
    pub fn each(&self) -> Vec<Self> {
        let all = |ratios: &[(&str, f64)], one: fn(f64) -> Self| {
            ratios.iter().map(|&(_, ratio)| one(ratio)).collect()
        };
        match *self {
            Self::Ratios(ratios) => all(ratios, Self::Ratio),
            Self::Words(_) => Vec::new(),
            one => vec![one],
        }
    }

    /// The ratio relative to the bound that is nearest.
    pub fn margin(&self, ratio: f64) -> Option<f64> {
        let ends = self.range()?.into_iter().filter(|end| end.is_finite() && *end > 0.0);
        let margins = ends.map(|end| ratio / end).filter(|margin| *margin > 0.0);
        margins.min_by(|a, b| a.ln().abs().total_cmp(&b.ln().abs()))
    }
}

/// Words before a ratio that is printed as almost exact, and the share of it within which it is.
pub const EXACTLY: (&str, [f64; 2]) = ("almost exactly ", [0.98, 1.02]);

/// Words before a printed number, and the share of it that they allow: fixed before any row was judged by them. *About*
/// and no word allow what is rounded to the number.
#[rustfmt::skip]
pub const HEDGES: [(&str, [f64; 2]); 5] = [
    ("roughly ", [0.8, 1.2]),
    ("nearly ", [0.8, 1.0]),
    ("up to ", [0.9, 1.0]),
    ("over ", [1.0, 1.1]),
    ("a few times ", [2.0, 5.0]),
];

/// A number as it is printed, between the smallest and the largest that its words or its digits allow. Zeros at the end
/// of an integer are no digits.
pub const fn number(text: &str) -> [f64; 3] {
    let mut at = 0;
    while at < HEDGES.len() {
        let (words, [least, most]) = HEDGES[at];
        if let Some(after) = after(text, words) {
            let [_, number, _] = rounded(text.as_bytes(), after);
            let middle = if least <= 1.0 && 1.0 <= most { 1.0 } else { (least + most) / 2.0 };
            return [least * number, middle * number, most * number];
        }
        at += 1;
    }
    let start = match after(text, "about ") {
        Some(after) => after,
        None => 0,
    };
    rounded(text.as_bytes(), start)
}

/// Place after these words, if a text begins with them.
const fn after(text: &str, words: &str) -> Option<usize> {
    let (text, words, mut at) = (text.as_bytes(), words.as_bytes(), 0);
    while at < words.len() {
        if at >= text.len() || text[at] != words[at] {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// The digits of a text from this place on, between the ends of what is rounded to them.
const fn rounded(text: &[u8], mut at: usize) -> [f64; 3] {
    let (mut number, mut scale, mut zeros, mut is_fraction) = (0.0, 1.0, 1.0, false);
    while at < text.len() {
        match text[at] {
            b'.' => is_fraction = true,
            digit @ b'0'..=b'9' => {
                number = 10.0 * number + (digit - b'0') as f64;
                zeros = if digit == b'0' { 10.0 * zeros } else { 1.0 };
                scale *= if is_fraction { 10.0 } else { 1.0 };
            }
            _ => panic!("a number consists of digits and a point"),
        }
        at += 1;
    }
    let half = if is_fraction { 0.5 } else { 0.5 * zeros };
    [(number - half) / scale, number / scale, (number + half) / scale]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::SplitMix64;
    use crate::claim::Claim;
    use crate::timing::median;

    fn between(low: f64, high: f64) -> Interval {
        Interval { median: (low * high).sqrt(), low, high, rounds: 9, ..Interval::default() }
    }

    #[test]
    fn a_ratio_is_reproduced_within_a_factor_and_with_its_effect() {
        let is = |p, low, high| Printed::Ratio(p).is_reproduced(between(low, high), 0.0);
        assert_eq!(is(4.0, 2.8, 5.8), Some(true));
        assert_eq!(is(4.0, 0.9, 1.9), Some(false));
        assert_eq!(is(4.0, 6.2, 7.0), Some(false));
        assert_eq!(is(4.0, 2.5, 2.8), None);
        assert_eq!(is(5.0, 25.0, 25.0), Some(false));
        // A quarter of the effect is 1.02, four times 1.32.
        assert_eq!(is(1.08, 0.99, 1.0), Some(false));
        assert_eq!(is(1.08, 1.03, 1.3), Some(true));
        assert_eq!(is(1.08, 0.95, 1.2), None);
        assert_eq!(is(1.02, 1.5, 1.5), Some(false));
        // Below one, the bounds are reversed.
        assert_eq!(is(0.25, 0.18, 0.36), Some(true));
        assert_eq!(is(0.25, 0.6, 1.0), Some(false));
        assert_eq!(is(0.8, 0.97, 1.1), Some(false));
        // Two equal costs.
        assert_eq!(is(1.0, 0.7, 1.4), Some(true));
    }

    #[test]
    fn of_processes_a_verdict_is_seldom_false_where_there_is_no_effect() {
        // Printed 1.06, no effect, 8 % between rounds and 5 % between processes: six processes of six rounds.
        let (printed, runs, mut random) = (Printed::Ratio(1.06), 4000, SplitMix64::new(1));
        let mut counts = [0, 0];
        for _ in 0..runs {
            let processes: Vec<f64> = (0..6)
                .map(|_| {
                    let process = 0.05 * random.normal();
                    (median((0..6).map(|_| 0.08 * random.normal()).collect()) + process).exp()
                })
                .collect();
            let found = Interval { rounds: 36, ..Interval::of_replicates(&processes) };
            // Without a floor, which makes errors rarer.
            match printed.decide(found, 0.0) {
                Decision::Kept => counts[0] += 1,
                Decision::Missed => counts[1] += 1,
                _ => {}
            }
        }
        let [reproduced, differs] = counts.map(|count| f64::from(count) / f64::from(runs));
        assert!(reproduced < 0.02, "{reproduced}");
        // More often it is right.
        assert!(differs > 2.0 * reproduced, "{differs}");
    }

    fn processes(low: f64, high: f64) -> Interval {
        Interval { rounds: 36, processes: 6, ..between(low, high) }
    }

    #[test]
    fn a_bound_that_is_closer_to_one_than_the_floor_decides_nothing() {
        let decide = |p, low, high| Printed::Ratio(p).decide(processes(low, high), 0.02);
        assert_eq!(decide(1.024, 1.01, 1.05), Decision::Unresolvable);
        assert_eq!(decide(3.0, 2.1, 4.0), Decision::Kept);
        assert_eq!(decide(3.0, 2.03, 4.0), Decision::Open);
        assert_eq!(decide(3.0, 1.0, 1.95), Decision::Missed);
        assert_eq!(Printed::Faster.decide(processes(1.03, 1.1), 0.02), Decision::Kept);
        assert_eq!(Printed::Faster.decide(processes(1.01, 1.1), 0.02), Decision::Open);
        let one = Interval { processes: 1, ..between(2.9, 3.1) };
        assert_eq!(Printed::Ratio(3.0).decide(one, 0.02), Decision::Open);
        // Inside, the farther of two bounds; in the margin of a bound no number is enough.
        let found = processes(2.4, 3.6);
        let [near, wide] = [2.0, 1.0].map(|least| processes_for(found, [least, 4.5], 0.02));
        assert!(near >= wide && wide >= Some(6), "{near:?} {wide:?}");
        assert_eq!(processes_for(processes(1.9, 2.1), [2.0, 4.5], 0.02), None);
    }

    /// The ratios or products that the print of two numbers allows.
    fn joined(how: &str, [of, by]: [&str; 2]) -> Printed {
        let line = format!("value.a = \"a: 1 = printed.of {how} printed.by\"");
        let numbers = format!("[printed]\nof = \"{of}\"\nby = \"{by}\"");
        Claim::of("shape", &format!("{line}\n{numbers}")).paper
    }

    #[test]
    fn a_printed_number_is_all_that_is_rounded_to_it() {
        let thousandths = |text: &str| number(text).map(|one| (1e3 * one).round());
        assert_eq!(thousandths("1.02"), [1015.0, 1020.0, 1025.0]);
        assert_eq!(
            [number("75"), number("about 750")],
            [[74.5, 75.0, 75.5], [745.0, 750.0, 755.0]]
        );
        assert_eq!(thousandths("1.0"), [950.0, 1000.0, 1050.0]);
        assert_eq!(
            [thousandths("nearly 1"), thousandths("a few times 0.1")],
            [[800.0, 1000.0, 1000.0], [200.0, 350.0, 500.0]]
        );
        let Printed::Rounded(ratio, [low, high]) = joined("/", ["about 12.6", "12.3"]) else {
            panic!("a quotient")
        };
        assert_eq!([low, ratio, high].map(|one| (1e3 * one).round()), [1016.0, 1024.0, 1033.0]);
        let decide =
            |low, high| Printed::Rounded(1.02, [0.94, 1.11]).decide(between(low, high), 0.0);
        assert_eq!(decide(1.03, 1.1), Decision::OpenInPrint);
        assert_eq!(decide(1.6, 1.7), Decision::Missed);
        assert_eq!(decide(0.5, 2.0), Decision::Open);
        let twice = Printed::Almost(2.0, EXACTLY.1.map(|share| 2.0 * share));
        let decide = |low, high| twice.decide(between(low, high), 0.0);
        assert_eq!(decide(1.5, 2.5), Decision::Open);
        let of_model = |ratio: f64| twice.decide(ratio.into(), 0.0);
        assert_eq!([of_model(1.99), of_model(1.45)], [Decision::Kept, Decision::Missed]);
        let [six, about] = [Printed::Ratio(6.0), joined("*", ["about 0.05", "over 1370"])];
        let count = |printed: Printed, count: f64| printed.decide_count(count.into());
        assert_eq!([count(six, 6.0), count(six, 5.0)], [Decision::Kept, Decision::Missed]);
        assert_eq!([count(about, 65.7), count(about, 60.0)], [Decision::Kept, Decision::Missed]);
    }

    /// A row whose print allows ratios on both sides of 1, all of which no result reproduces.
    const OPEN: [&str; 1] = ["vector-operations"];

    #[test]
    fn every_printed_ratio_has_values_that_reproduce_it_and_values_on_both_sides_that_do_not() {
        let claims = crate::papers::PAPERS.iter().flat_map(|paper| paper.claims);
        let ratios =
            claims.flat_map(|claim| claim.paper.each().into_iter().map(|one| (claim.id, one)));
        let mut count = 0;
        for (id, printed) in ratios {
            let is = |ratio: f64| printed.decide(ratio.into(), 0.0);
            let [inside, outside] = match printed {
                Printed::Slower => [0.5, 1.5],
                Printed::Almost(p, _) => [p, 1.1 * p],
                _ => [1.5, 0.5],
            };
            let (Printed::Ratio(p) | Printed::Rounded(p, _)) = printed else {
                assert_eq!([is(inside), is(outside)], [Decision::Kept, Decision::Missed], "{id}");
                continue;
            };
            count += 1;
            let expected = if OPEN.contains(&id) { Decision::OpenInPrint } else { Decision::Kept };
            assert_eq!(is(p), expected, "{id}: {p}");
            let [low, high] = if let Printed::Rounded(_, ends) = printed { ends } else { [p, p] };
            assert_eq!([is(low / 1.8), is(high * 1.8)], [Decision::Missed; 2], "{id}: {p}");
            if let Printed::Ratio(_) = printed {
                let [least, most] = printed.range().unwrap();
                assert_eq!([is(least / 1.01), is(most * 1.01)], [Decision::Missed; 2], "{id}");
                // Neither no effect nor one that is hardly the printed one.
                assert!(p == 1.0 || is(1.0) == Decision::Missed, "{id}: {p}");
                assert!(least > p / 1.51 && most < p * 1.51, "{id}: {p}");
            }
        }
        assert!(count > 50, "{count} printed ratios");
    }

    #[test]
    fn what_is_at_a_bound_or_has_few_rounds_is_not_decided() {
        let is = |p, low, high| Printed::Ratio(p).is_reproduced(between(low, high), 0.0);
        assert_eq!(is(3.0, 2.1, 4.3), Some(true));
        assert_eq!(is(3.0, 1.0, 1.9), Some(false));
        // The whole interval is on one side, within 3 % of a bound.
        assert_eq!([is(3.0, 2.02, 2.05), is(3.0, 1.95, 1.98)], [None; 2]);
        assert_eq!([is(3.0, 4.4, 4.49), is(3.0, 4.51, 4.6)], [None; 2]);
        // The margin of an effect of 4 % is 0.4 %.
        assert_eq!([is(1.04, 1.011, 1.013), is(1.04, 1.015, 1.02)], [None, Some(true)]);
        let few = Interval { rounds: 5, ..between(2.5, 3.5) };
        assert_eq!(Printed::Ratio(3.0).is_reproduced(few, 0.0), None);
        // A count is exact.
        assert_eq!(Printed::Ratio(3.0).is_reproduced(2.0.into(), 0.0), Some(true));
        assert_eq!(Printed::Ratio(3.0).is_reproduced(1.999.into(), 0.0), Some(false));
        assert_eq!(is_between((-1.0).into(), [-2.0, 0.0], 0.0), Some(true));
    }

    #[test]
    fn a_direction_is_off_one() {
        let faster = |low, high| Printed::Faster.is_reproduced(between(low, high), 0.0);
        assert_eq!(faster(1.1, 1.2), Some(true));
        assert_eq!(faster(0.8, 0.9), Some(false));
        assert_eq!(faster(0.9, 1.1), None);
        assert_eq!(Printed::Faster.is_reproduced(1.0.into(), 0.0), None);
        assert_eq!(Printed::Slower.is_reproduced(between(0.8, 0.9), 0.0), Some(true));
    }

    #[test]
    fn the_margin_is_the_ratio_to_the_nearest_bound() {
        assert_eq!(Printed::Ratio(3.0).margin(1.8), Some(0.9));
        assert_eq!(Printed::Faster.margin(1.25), Some(1.25));
        assert_eq!(Printed::Ratio(4.0).margin(12.0), Some(2.0));
        assert_eq!(Printed::Words("").margin(8.0), None);
    }
}
