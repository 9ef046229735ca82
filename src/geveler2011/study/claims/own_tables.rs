//! Sentences of the abstract and of §4.4 and §4.5, by arithmetic on the paper's own Tables 2 and 3.

use crate::base::interval::range;
use crate::claim::{Checked, Claim, Found, Run};

use super::printed::{LEVELS, Processors, TABLE_2, TABLE_3};
use super::race::GPU;
use crate::geveler2011::{Element, Numbering};

/// Cells of a table that have numbers: all levels of both elements.
fn cells(table: &[[[Processors; 4]; 2]; 5]) -> impl Iterator<Item = Processors> {
    table.iter().flatten().flatten().copied()
}

/// Smallest, mean and largest gain on the largest level of each column of a table.
fn gains(table: &[[[Processors; 4]; 2]; 5], gain: impl Fn(Processors) -> f64) -> [f64; 3] {
    let gains: Vec<f64> = table.iter().flatten().map(|levels| gain(levels[3])).collect();
    let [least, most] = range(gains.iter().copied());
    [least, gains.iter().sum::<f64>() / gains.len() as f64, most]
}

/// Numbers that are printed as this integer, rounded or truncated.
fn printed_as(integer: f64) -> [f64; 2] {
    [integer - 0.5, integer + 1.0]
}

pub(super) fn speed_ups(_: &mut Run<'_>, _: &Claim) -> Checked {
    let of_products = gains(&TABLE_2, |rates| rates[GPU] / rates[1]);
    let of_solves = gains(&TABLE_3, |seconds| seconds[1] / seconds[GPU]);
    let [least, _, most] = gains(&TABLE_2, |rates| rates[1] / rates[0]);
    let [of_smallest, of_largest] = range(cells(&TABLE_2).map(|rates| rates[GPU] / rates[1]));
    let names = ["smallest", "mean", "largest"].map(|name| format!("{name} gain of the GPU"));
    let judged = names.into_iter().zip(of_products).zip([4.0, 8.0, 14.0]);
    let found = judged.fold(Found::new(), |found, ((name, gain), integer)| {
        found.between(name, gain, printed_as(integer))
    });
    Ok(found
        .list("gain of the GPU over four cores: smallest, mean and largest", of_products, "times")
        .between("smallest gain of four cores over one", least, printed_as(2.0))
        .between("largest gain of four cores over one", most, printed_as(3.0))
        .shows("gain of the GPU on all levels", [of_smallest, of_largest])
        .shows("smallest gain of solves, by Table 3", of_solves[0])
        .shows("mean gain of solves", of_solves[1])
        .shows("largest gain of solves", of_solves[2])
        .because(
            "The largest level of each column, as in Table 4. The sentence names the solver, and its numbers are those of the \
             product: Table 3 reaches ten. The largest gain is 14 only if truncated.",
        ))
}

/// Fewest and most seconds that are *tens*, and the most that are *one or two*.
const TENS: [f64; 2] = [10.0, 100.0];
const ONE_OR_TWO: f64 = 2.5;

pub(super) fn seconds(_: &mut Run<'_>, _: &Claim) -> Checked {
    let tens = cells(&TABLE_3).filter(|solve| (TENS[0]..TENS[1]).contains(&solve[1]));
    let on_gpu: Vec<f64> = tens.map(|solve| solve[GPU]).collect();
    let held = on_gpu.iter().filter(|&&seconds| seconds <= ONE_OR_TWO).count();
    Ok(Found::new()
        .at_most(
            "most seconds on the GPU of solves that take 10 to 100 s on four cores",
            on_gpu.iter().copied().fold(0.0, f64::max),
            ONE_OR_TWO,
        )
        .headline("s")
        .shows("solves that take tens of seconds", on_gpu.len() as f64)
        .shows("of these, in at most 2.5 s on the GPU", held as f64)
        .because("The sentence holds for solves of Q1 in other numberings than STO."))
}

/// Smallest rank correlation of two processors with the same order of the numberings, except for one exchange of neighbours.
const SAME: f64 = 0.9;

/// Places of five values in their order, the smallest first.
fn ranks(values: [f64; 5]) -> [f64; 5] {
    values.map(|value| values.iter().filter(|&&other| other < value).count() as f64)
}

/// Spearman's rank correlation.
fn correlation(one: [f64; 5], other: [f64; 5]) -> f64 {
    let pairs = ranks(one).into_iter().zip(ranks(other));
    1.0 - pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / 20.0
}

/// Rank correlations of the numberings on two processors, on all levels of both elements.
fn correlations(table: &[[[Processors; 4]; 2]; 5], [one, other]: [usize; 2]) -> Vec<f64> {
    let places = (0..2).flat_map(|element| (0..4).map(move |row| (element, row)));
    let on = |processor: usize, (element, row): (usize, usize)| {
        Numbering::ALL.map(|numbering| table[numbering as usize][element][row][processor])
    };
    places.map(|place| correlation(on(one, place), on(other, place))).collect()
}

pub(super) fn preferred_order(_: &mut Run<'_>, _: &Claim) -> Checked {
    let pairs = [[0, 1], [1, GPU], [0, GPU]];
    let names = ["one core and four", "four cores and the GPU", "one core and the GPU"];
    let (mut found, mut all) = (Found::new(), Vec::new());
    for (pair, name) in pairs.into_iter().zip(names) {
        let largest = [3, 7].map(|place| correlations(&TABLE_3, pair)[place]);
        all.extend(largest);
        found = found
            .shows(format!("rank correlation of solves on {name}, largest levels"), range(largest))
            .shows("on all levels", range(correlations(&TABLE_3, pair)))
            .shows("of products, on all levels", range(correlations(&TABLE_2, pair)));
    }
    let slowest = cells(&TABLE_3).count() / 5;
    let is_slowest = |place: usize| {
        (0..3).all(|p| {
            let at = |n: Numbering| TABLE_3[n as usize][place / 4][place % 4][p];
            Numbering::ALL.into_iter().all(|n| at(n) <= at(Numbering::Stochastic))
        })
    };
    let levels = LEVELS.map(|levels| levels[3]);
    Ok(found
        .holds("STO is slowest everywhere", (0..slowest).all(is_slowest))
        .at_least("smallest rank correlation, largest levels", all.into_iter().fold(1.0, f64::min), SAME)
        .headline("rank correlation")
        .because(format!(
            "Spearman's correlation of the five numberings by Table 3, on {:?} level {} and {:?} level {}. It is 1 for the \
             same order, and 0.9 if two neighbours are exchanged.",
            Element::Q1, levels[0], Element::Q2, levels[1]
        )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gains_of_the_largest_levels_are_those_that_table_2_prints() {
        let [least, mean, most] = gains(&TABLE_2, |rates| rates[GPU] / rates[1]);
        assert_eq!([least, most].map(|gain| (100.0 * gain).round()), [405.0, 1455.0]);
        // The printed column of both elements: 9.26, 6.53, 8.15, 4.05, 7.93 and 14.55, 8.46, 9.66, 4.61, 10.11.
        assert!((mean - 8.331).abs() < 0.01, "{mean}");
        let [_, largest] = range(cells(&TABLE_2).map(|rates| rates[GPU]));
        assert_eq!(largest, 11176.0, "no cell has 14 GFlop/s");
    }
}
