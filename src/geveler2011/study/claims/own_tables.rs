//! Comparisons within the paper's Tables 2 and 3 that are no sums: orders, and what is chosen by another number.

use super::PRINTED;
use crate::experiment::{Record, Study, Takes};

/// The levels of the tables, in the names of printed numbers.
const LEVELS: [&str; 8] = ["q1_7", "q1_8", "q1_9", "q1_10", "q2_6", "q2_7", "q2_8", "q2_9"];

/// Compared processors.
const PAIRS: [[&str; 2]; 3] = [["one", "four"], ["four", "gpu"], ["one", "gpu"]];

/// Place of STO among the numberings.
const STO: usize = 3;

/// Places of values in their order, the smallest first.
fn ranks(values: &[f64]) -> impl Iterator<Item = f64> {
    values.iter().map(|value| values.iter().filter(|&other| other < value).count() as f64)
}

/// Spearman's rank correlation of five values.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let pairs = ranks(one).zip(ranks(other));
    1.0 - pairs.map(|(a, b)| (a - b).powi(2)).sum::<f64>() / 20.0
}

/// Orders and choices in Tables 2 and 3.
pub static TABLES: Study = Study::measuring(
    "geveler2011/tables",
    "Comparisons of the numbers in the paper's Tables 2 and 3",
    Takes::nothing(),
    &[
        (
            "{solves|products}.{one_four|four_gpu|one_gpu}.{q1_7|q1_8|q1_9|q1_10|q2_6|q2_7|q2_8|q2_9}",
            "",
            "rank correlation of the five numberings on two processors",
        ),
        ("slowest", "", "1 if a solve in STO is the slowest on all processors and levels"),
        ("tens", "s", "on the GPU, of each solve that takes 10 to 100 s on four cores"),
        (
            "others.{q1|q2}",
            "",
            "products in the time of a solve, relative to STO: one core, largest level",
        ),
    ],
    |_, _| {
        let (printed, mut record) = (Record::printed(PRINTED)?, Record::new());
        let of = |table: &str, processor: &str, level: &str| {
            Ok::<_, String>(
                printed.quantity(&format!("{table}.{processor}.{level}"))?.all().to_vec(),
            )
        };
        let (mut is_slowest, mut tens) = (true, Vec::new());
        for level in LEVELS {
            for (name, table) in [("solves", "seconds"), ("products", "rate")] {
                for [a, b] in PAIRS {
                    let correlation = correlation(&of(table, a, level)?, &of(table, b, level)?);
                    record.one(format!("{name}.{a}_{b}.{level}"), correlation);
                }
            }
            for processor in ["one", "four", "gpu"] {
                let seconds = of("seconds", processor, level)?;
                is_slowest &= seconds.iter().all(|&one| one <= seconds[STO]);
            }
            let solves =
                of("seconds", "four", level)?.into_iter().zip(of("seconds", "gpu", level)?);
            tens.extend(
                solves.filter(|(four, _)| (10.0..100.0).contains(four)).map(|(_, gpu)| gpu),
            );
        }
        record.one("slowest", f64::from(u8::from(is_slowest)));
        record.each("tens", tens);
        for (element, level) in [("q1", "q1_10"), ("q2", "q2_9")] {
            let (seconds, rates) = (of("seconds", "one", level)?, of("rate", "one", level)?);
            let products = |numbering: usize| seconds[numbering] * rates[numbering];
            let others = (0..seconds.len()).filter(|&numbering| numbering != STO);
            let others = others.map(|numbering| products(numbering) / products(STO));
            record.each(format!("others.{element}"), others.collect::<Vec<_>>());
        }
        Ok(record)
    },
);
