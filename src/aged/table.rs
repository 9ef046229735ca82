//! The advice as a table: the ratios of machines, from their reports, or from the table of this project's reports.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::page::cell;
use super::{Kind, Machine, sentences};
use crate::timing::Interval;

/// The values of the reports that this project keeps.
const KEPT: &str = include_str!("../../figures/aged/aged.csv");

/// Ratios of a machine, by the keys of the sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratios {
    /// Name of the machine.
    pub name: String,
    of: BTreeMap<String, Interval>,
}

impl Ratios {
    /// The ratios that a report has.
    pub fn of(machine: &Machine) -> Self {
        let sentences = sentences().into_iter();
        let of = sentences.filter_map(|one| Some((one.key.into(), one.measured(&machine.report)?)));
        Self { name: machine.name.clone(), of: of.collect() }
    }

    /// The ratios of the machines whose reports this project keeps.
    pub fn kept() -> Vec<Self> {
        let mut lines = KEPT.lines();
        // Four columns per machine, between the texts and the two ends of the expected range.
        let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let first = head.iter().position(|&name| name == "its card").map_or(0, |at| at + 1);
        let names = head[first..head.len() - 2].iter().step_by(4);
        let mut all: Vec<Self> =
            names.map(|&name| Self { name: name.into(), of: BTreeMap::new() }).collect();
        for line in lines {
            // Texts may have commas.
            let mut cells: Vec<&str> = line.rsplitn(4 * all.len() + 3, ',').collect();
            cells.reverse();
            let key = line.split(',').next().unwrap_or_default();
            for (one, cells) in all.iter_mut().zip(cells[1..].chunks_exact(4)) {
                let numbers = cells[..3].iter().map(|cell| cell.parse().ok());
                if let Some(&[median, low, high]) = numbers.collect::<Option<Vec<f64>>>().as_deref()
                {
                    let rounds = cells[3].parse().unwrap_or(0);
                    one.of.insert(key.into(), Interval { median, low, high, rounds });
                }
            }
        }
        all
    }
}

/// A record for each advice with a ratio on one of the machines: the paper, the advice, what it saves, the printed
/// effect, and on each machine the ratio of the times without and with it, its interval, and the outcome.
pub fn records(machines: &[Ratios]) -> Vec<Value> {
    let advice = sentences().into_iter().filter(|one| one.kind == Kind::Advice);
    let known = advice.filter(|one| machines.iter().any(|its| its.of.contains_key(one.key)));
    let record = |one: super::Sentence| {
        let texts = [
            ("paper", format!("{} {}", one.paper, one.section)),
            ("advice", one.statement.to_owned()),
            ("saves", one.mechanism.name().to_owned()),
            ("printed", one.printed.to_owned()),
        ];
        let texts = texts.map(|(name, text)| (name.to_owned(), Value::from(text)));
        let ratios = machines.iter().map(|its| {
            let text = cell(&one, its.of.get(one.key).copied()).replace('*', "");
            (its.name.clone(), Value::from(text))
        });
        Value::Object(texts.into_iter().chain(ratios).collect::<Map<_, _>>())
    };
    known.map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_of_the_kept_table_is_read() {
        let kept = Ratios::kept();
        let names: Vec<&str> = kept.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["llvmpipe", "H200", "H100"]);
        let line = KEPT.lines().find(|line| line.starts_with("c7,")).unwrap();
        for one in &kept {
            let Interval { median, low, high, rounds } = one.of["c7"];
            let cells = format!(",{median},{low},{high},{rounds},");
            assert!(line.contains(&cells), "{cells} {line}");
        }
        let count: usize = kept.iter().map(|one| one.of.len()).sum();
        let cells = KEPT.lines().skip(1).flat_map(|line| line.rsplit(',').skip(2).take(12));
        assert_eq!(4 * count, cells.filter(|cell| !cell.is_empty()).count());
    }
}
