//! Sentences of the abstract and of §4.4 and §4.5, by arithmetic on the paper's own Tables 2 and 3.

use crate::claim::{Checked, Claim, Found, Run};
use crate::timing::rig::range;

use super::printed::{LEVELS, Processors, TABLE_2, TABLE_3};
use super::race::GPU;
use crate::geveler2011::{Element, Numbering};

/// Cells of a table that have numbers: all levels of both elements.
fn cells(table: &[[[Processors; 4]; 2]; 5]) -> impl Iterator<Item = Processors> {
    table.iter().flatten().flatten().copied()
}

pub(super) fn speed_ups(_: &mut Run<'_>, _: &Claim) -> Checked {
    let gains: Vec<f64> = cells(&TABLE_2).map(|rates| rates[GPU] / rates[1]).collect();
    let mean = gains.iter().sum::<f64>() / gains.len() as f64;
    let [least, most] = range(gains.iter().copied());
    let cores = range(cells(&TABLE_2).map(|rates| rates[1] / rates[0]));
    // Printed as integers.
    Ok(Found::new()
        .between("smallest gain of the GPU over four cores", least, [3.5, 4.5])
        .between("mean gain", mean, [7.5, 8.5])
        .between("largest gain", most, [13.5, 14.5])
        .list("gain of the GPU over four cores: smallest, mean and largest", [least, mean, most], "times")
        .between("smallest gain of four cores over one", cores[0], [1.5, 2.5])
        .between("largest gain of four cores over one", cores[1], [2.5, 3.5])
        .because("All 40 cells of Table 2. The smallest gains are on the smallest levels, on which four cores are fast."))
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
