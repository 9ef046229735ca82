//! Refits, which show how far the printed timings determine the model: without one paper each, with intervals of the
//! fitted numbers, and with ranges of the seconds by what the papers leave open.
//!
//! A fit minimises the mean square of ln(model / printed) over the calibrated timings. t_gather is not among the
//! fitted numbers here: a single timing, which is not calibrated, determines it.

use serde::Serialize;

use super::{Assumed, Basis, Counted, FACTOR, counted};
use crate::card::count::CountError;

/// Fitted numbers.
const NUMBERS: usize = 4;

/// Names and units of the fitted numbers.
pub const NAMES: [(&str, &str, f64); NUMBERS] = [
    ("k", "", 1.0),
    ("κ", "", 1.0),
    ("t_switch, OpenGL", "µs", 1e6),
    ("t_pass, Direct3D 9", "µs", 1e6),
];

/// The papers with calibrated timings.
pub const PAPERS: [&str; 3] = ["bolz2003", "batty2003", "kruger2003"];

/// 95 % point of F with one degree of freedom over 12: 16 timings less four numbers.
const F: f64 = 4.75;

/// Logarithm of the largest change of a number that is looked at, a thousandfold.
const FURTHEST: f64 = 6.9;

/// Texels per side of batty2003's grid with 0.8 and 1.5 million cells, four per texel.
const SIDES: [u32; 2] = [447, 612];

/// Clock frequency of a Radeon 9800 that is not a Pro.
const SLOWER: f64 = 325e6;

/// Mean squares below this share of each other are equal.
const EQUAL: f64 = 1e-6;

/// A fit of the model's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Refit {
    /// The paper whose timings were left out.
    pub without: Option<&'static str>,
    /// The [numbers](NAMES), in SI units; none for a number that none of these timings contains, which is taken as zero.
    pub numbers: [Option<f64>; NUMBERS],
    /// Root mean square of ln(model / printed) of the fitted timings.
    pub fitted: f64,
    /// Root mean square of the calibrated timings left out.
    pub left_out: Option<f64>,
    /// Number of the paper's judged timings, held out and calibrated, within 30 %, and of all of them.
    pub within: [usize; 2],
}

/// The published assumptions with each number multiplied by e to this power.
fn assumed(base: &Assumed, powers: &[f64; NUMBERS]) -> Assumed {
    let [k, registers, switch, pass] = powers.map(f64::exp);
    let mut all = *base;
    all.numbers.strided *= k;
    all.numbers.registers *= registers;
    all.opengl.switch *= switch;
    all.direct3d.pass *= pass;
    all
}

/// The numbers in these assumptions.
fn numbers(all: &Assumed) -> [f64; NUMBERS] {
    let of = &all.numbers;
    [of.strided, of.registers, all.opengl.switch, all.direct3d.pass]
}

/// The [numbers](NAMES) of the model, in SI units.
pub fn published() -> [f64; NUMBERS] {
    numbers(&Assumed::default())
}

/// Mean square of ln(model / printed).
fn mean_square<'a>(timings: impl Iterator<Item = &'a Counted>, all: &Assumed) -> f64 {
    let squares = timings.map(|one| (one.seconds(all) / one.timing.printed).ln().powi(2));
    let (sum, count) = squares.fold((0.0, 0), |(sum, count), square| (sum + square, count + 1));
    sum / f64::from(count)
}

/// Minimises by steps along one number at a time, which become smaller; the numbers in `fixed` stay.
fn minimised(
    of: impl Fn(&[f64; NUMBERS]) -> f64,
    start: [f64; NUMBERS],
    fixed: &[usize],
) -> ([f64; NUMBERS], f64) {
    let (mut at, mut least, mut step) = (start, of(&start), 1.0);
    while step > 1e-4 {
        let before = least;
        for number in (0..NUMBERS).filter(|number| !fixed.contains(number)) {
            for change in [step, -step] {
                let mut next = at;
                next[number] = (next[number] + change).clamp(-FURTHEST, FURTHEST);
                let value = of(&next);
                if value < least {
                    (at, least) = (next, value);
                }
            }
        }
        if least == before {
            step *= 0.5;
        }
    }
    (at, least)
}

/// A fit to the calibrated timings of all papers but one.
fn fit(timings: &[Counted], base: &Assumed, without: Option<&'static str>) -> (Refit, Assumed) {
    let calibrated = || timings.iter().filter(|one| one.timing.basis == Basis::Calibrated);
    let fitted = || calibrated().filter(|one| Some(one.timing.paper) != without);
    let of = |powers: &[f64; NUMBERS]| mean_square(fitted(), &assumed(base, powers));
    let (mut powers, least) = minimised(of, [0.0; NUMBERS], &[]);
    let is_determined = |number: usize| {
        [-1.0, 1.0].iter().any(|change| {
            let mut other = powers;
            other[number] += change;
            of(&other) > (1.0 + EQUAL) * least
        })
    };
    let determined: [bool; NUMBERS] = std::array::from_fn(is_determined);
    for (power, is_determined) in powers.iter_mut().zip(determined) {
        if !is_determined {
            *power = f64::NEG_INFINITY;
        }
    }
    let all = assumed(base, &powers);
    let values = numbers(&all);
    let out = |one: &&Counted| without.is_none_or(|paper| one.timing.paper == paper);
    let judged: Vec<f64> = (timings.iter().filter(out))
        .filter(|one| one.timing.basis.is_judged())
        .map(|one| one.seconds(&all) / one.timing.printed)
        .collect();
    let is_near = |ratio: &&f64| (1.0 / FACTOR..=FACTOR).contains(*ratio);
    let near = judged.iter().filter(is_near).count();
    let refit = Refit {
        without,
        numbers: std::array::from_fn(|number| determined[number].then_some(values[number])),
        fitted: least.sqrt(),
        left_out: without.map(|_| mean_square(calibrated().filter(out), &all).sqrt()),
        within: [near, judged.len()],
    };
    (refit, all)
}

/// The fit to all calibrated timings, and those without each paper.
pub fn refits() -> Result<[Refit; 4], CountError> {
    let base = Assumed::default();
    let timings = counted(base.side)?;
    let [bolz, batty, kruger] = PAPERS;
    Ok([None, Some(bolz), Some(batty), Some(kruger)].map(|one| fit(&timings, &base, one).0))
}

/// The range of each number in which the sum of squares, with the other numbers fitted again, is at most 1 + F / 12 times
/// the smallest: 95 % if ln(model / printed) is normally distributed. An end a thousandfold away is open.
pub fn intervals() -> Result<[[f64; 2]; NUMBERS], CountError> {
    let base = Assumed::default();
    let timings = counted(base.side)?;
    let calibrated = || timings.iter().filter(|one| one.timing.basis == Basis::Calibrated);
    let of = |powers: &[f64; NUMBERS]| mean_square(calibrated(), &assumed(&base, powers));
    let (best, least) = minimised(of, [0.0; NUMBERS], &[]);
    let free = calibrated().count() - NUMBERS;
    let most = least * (1.0 + F / free as f64);
    let values = numbers(&base);
    Ok(std::array::from_fn(|number| {
        [-FURTHEST, FURTHEST].map(|furthest| {
            let is_inside = |power: f64| {
                let mut start = best;
                start[number] = power;
                minimised(of, start, &[number]).1 <= most
            };
            if is_inside(furthest) {
                return if furthest < 0.0 { 0.0 } else { f64::INFINITY };
            }
            let (mut inside, mut outside) = (best[number], furthest);
            while (inside - outside).abs() > 1e-3 {
                let middle = 0.5 * (inside + outside);
                if is_inside(middle) { inside = middle } else { outside = middle }
            }
            values[number] * inside.exp()
        })
    }))
}

/// Range of the model's seconds relative to the printed ones of each timing, in the order of [`super::timings`]: with the
/// published numbers, and with the numbers fitted again to what the papers leave open, which is the size of batty2003's
/// grid and the clock of kruger2003's card.
pub fn ranges() -> Result<Vec<[f64; 2]>, CountError> {
    let base = Assumed::default();
    let mut ranges: Vec<[f64; 2]> = Vec::new();
    for side in [base.side].into_iter().chain(SIDES) {
        let timings = counted(side)?;
        for radeon in [base.radeon, SLOWER] {
            let open = Assumed { side, radeon, ..base };
            let all = if open == base { base } else { fit(&timings, &open, None).1 };
            let ratios = timings.iter().map(|one| one.seconds(&all) / one.timing.printed);
            if ranges.is_empty() {
                ranges = ratios.map(|ratio| [ratio; 2]).collect();
            } else {
                for ([low, high], ratio) in ranges.iter_mut().zip(ratios) {
                    (*low, *high) = (low.min(ratio), high.max(ratio));
                }
            }
        }
    }
    Ok(ranges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_numbers_that_made_the_timings() {
        let base = Assumed::default();
        let made = assumed(&base, &[0.3, -0.4, 0.2, -0.3]);
        let mut timings = counted(base.side).unwrap();
        for one in &mut timings {
            one.timing.printed = one.seconds(&made);
        }
        let (found, _) = fit(&timings, &base, None);
        assert!(found.fitted < 1e-3, "{found:?}");
        for (at, (found, made)) in found.numbers.into_iter().zip(numbers(&made)).enumerate() {
            let off = (found.unwrap() / made).ln().abs();
            assert!(off < 0.01, "{:?} is off by {off}", NAMES[at].0);
        }
    }

    #[test]
    fn a_number_without_a_timing_is_not_fitted_and_intervals_hold_the_fit() {
        let [all, without_bolz, without_batty, without_kruger] = refits().unwrap();
        assert!(all.numbers.iter().all(Option::is_some));
        // Switches are in batty2003's table alone, Direct3D in kruger2003 alone.
        assert_eq!(without_batty.numbers[2], None);
        assert_eq!(without_kruger.numbers[3], None);
        // As the page of the cards and the article have it.
        let within = [without_bolz, without_batty, without_kruger].map(|one| one.within);
        assert_eq!(within, [[4, 5], [4, 6], [4, 11]]);
        let ends = intervals().unwrap();
        assert!(ends.iter().all(|&[low, high]| low > 0.0 && high.is_finite()), "{ends:?}");
        for (number, [low, high]) in all.numbers.into_iter().zip(ends) {
            let number = number.unwrap();
            assert!(low <= number && number <= high, "{low} {number} {high}");
        }
        let base = Assumed::default();
        let timings = counted(base.side).unwrap();
        let calibrated = timings.iter().filter(|one| one.timing.basis == Basis::Calibrated);
        let free = calibrated.clone().count() - NUMBERS;
        assert_eq!(free, 12, "F is for 12");
        // A fit is no worse than the published numbers.
        assert!(all.fitted <= mean_square(calibrated, &base).sqrt());
    }
}
