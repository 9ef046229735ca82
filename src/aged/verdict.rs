//! The rule of a sentence, written before the values were looked at, and the exact test of all of them.

use super::{Kind, Mechanism, Sentence};
use crate::timing::Interval;

/// A ratio this far from 1 is an effect.
const EFFECT: f64 = 1.03;
/// An interval this close to 1 shows that no effect is worth having.
const NONE: f64 = 1.1;
/// A description holds within this factor of its number.
const CLOSE: f64 = 1.5;

/// Outcome of a sentence on a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The advice pays.
    Held,
    /// It pays by less than the square root of the printed effect.
    HeldLess,
    /// It makes no difference worth having.
    Aged,
    /// A proportion is larger than printed.
    Larger,
    /// A proportion is smaller than printed.
    Smaller,
    /// It costs.
    Reversed,
    /// The interval is too wide.
    Open,
}

impl Verdict {
    /// The verdict of a sentence.
    pub fn of(sentence: &Sentence, found: &Interval) -> Self {
        let printed = sentence.number;
        // A single number has no interval.
        let (low, high) =
            if found.rounds == 0 { (found.median, found.median) } else { (found.low, found.high) };
        match (sentence.kind, printed) {
            (Kind::Advice | Kind::Part, _) | (_, None) => match () {
                () if low > EFFECT && printed.is_some_and(|p| found.median < p.sqrt()) => {
                    Self::HeldLess
                }
                () if low > EFFECT => Self::Held,
                () if high < 1.0 / EFFECT => Self::Reversed,
                () if low >= 1.0 / NONE && high <= NONE => Self::Aged,
                () => Self::Open,
            },
            (_, Some(printed)) => match () {
                () if high >= printed / CLOSE && low <= printed * CLOSE => Self::Held,
                () if printed != 1.0 && (printed > 1.0) != (found.median > 1.0) => Self::Reversed,
                () if found.median > printed => Self::Larger,
                () => Self::Smaller,
            },
        }
    }

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Held => "**held**",
            Self::HeldLess => "held, less than half",
            Self::Aged => "aged",
            Self::Larger => "larger",
            Self::Smaller => "smaller",
            Self::Reversed => "*reversed*",
            Self::Open => "open",
        }
    }
}

/// Fisher's exact test of two groups of advice against two outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Test {
    /// Held and all of the first group.
    pub first: [u64; 2],
    /// Held and all of the second.
    pub second: [u64; 2],
    /// Probability that the first group has this share or a larger one, if the groups do not differ.
    pub one_sided: f64,
    /// Probability of a table at most as likely.
    pub two_sided: f64,
}

impl Test {
    /// The test of sentences with their verdicts: those in the first group against the others. Open ones do not count.
    pub fn of(verdicts: impl IntoIterator<Item = (bool, Verdict)>) -> Self {
        // Held and not held, of each group.
        let mut table = [[0_u64; 2]; 2];
        for (is_first, verdict) in verdicts {
            if verdict == Verdict::Open {
                continue;
            }
            let is_held = matches!(verdict, Verdict::Held | Verdict::HeldLess);
            table[usize::from(!is_first)][usize::from(!is_held)] += 1;
        }
        let [[a, b], [c, d]] = table;
        let [one_sided, two_sided] = fisher([a, b, c, d]);
        Self { first: [a, a + b], second: [c, c + d], one_sided, two_sided }
    }
}

/// Probabilities of a table with these sums that is at least as extreme: to one side, and at most as likely (Fisher 1935).
fn fisher([a, b, c, d]: [u64; 4]) -> [f64; 2] {
    let (all, row, column) = (a + b + c + d, a + b, a + c);
    let ways = |n: u64, k: u64| (1..=k).map(|i| (n - k + i) as f64 / i as f64).product::<f64>();
    let chance = |k: u64| ways(column, k) * ways(all - column, row - k) / ways(all, row);
    let cells = (row + column).saturating_sub(all)..=row.min(column);
    let is_likelier = |k: &u64| chance(*k) > chance(a) * (1.0 + 1e-7);
    let others = cells.clone().filter(|k| !is_likelier(k));
    [cells.filter(|&k| k >= a).map(chance).sum(), others.map(chance).sum()]
}

/// Agreement of two classifications beyond chance (Cohen 1960), and half of its 95 % interval.
pub(super) fn kappa(pairs: &[(Mechanism, Mechanism)]) -> [f64; 2] {
    let count = pairs.len() as f64;
    let share = |is_it: &dyn Fn(&(Mechanism, Mechanism)) -> bool| {
        pairs.iter().filter(|pair| is_it(pair)).count() as f64 / count
    };
    let agreed = share(&|(a, b)| a == b);
    let all = Mechanism::ALL.into_iter().chain([Mechanism::None]);
    let chance: f64 = all.map(|one| share(&|(a, _)| *a == one) * share(&|(_, b)| *b == one)).sum();
    let error = (agreed * (1.0 - agreed) / count).sqrt();
    [(agreed - chance) / (1.0 - chance), 1.96 * error / (1.0 - chance)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_gives_fisher_s_tea_and_published_tables() {
        let table = |a: u64, b: u64, c: u64, d: u64| {
            let group = |first, held, n| std::iter::repeat_n((first, held), n as usize);
            Test::of(
                group(true, Verdict::Held, a)
                    .chain(group(true, Verdict::Aged, b))
                    .chain(group(false, Verdict::Held, c))
                    .chain(group(false, Verdict::Reversed, d))
                    .chain(group(false, Verdict::Open, 5)),
            )
        };
        // Fisher 1935: three of four cups, 17/70 and 34/70.
        let tea = table(3, 1, 1, 3);
        assert!((tea.one_sided - 17.0 / 70.0).abs() < 1e-9);
        assert!((tea.two_sided - 34.0 / 70.0).abs() < 1e-9);
        // scipy.stats.fisher_exact
        let advice = table(10, 5, 2, 7);
        assert!((advice.one_sided - 0.044_689_729).abs() < 1e-8);
        assert!((advice.two_sided - 0.089_379_458).abs() < 1e-8);
    }

    #[test]
    fn agreement_beyond_chance_is_one_for_equal_and_nought_for_independent_ratings() {
        use Mechanism::{Bytes, RoundTrips};
        let pairs = |list: &[(Mechanism, Mechanism)]| kappa(list)[0];
        assert!((pairs(&[(Bytes, Bytes), (RoundTrips, RoundTrips)]) - 1.0).abs() < 1e-12);
        let apart =
            [(Bytes, Bytes), (Bytes, RoundTrips), (RoundTrips, Bytes), (RoundTrips, RoundTrips)];
        assert!(pairs(&apart).abs() < 1e-12);
    }
}
