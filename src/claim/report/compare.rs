//! The sentences about performance in two reports or more, side by side.

use super::Report;
use super::columns::{Column, Source, cell, columns, deciding};
use super::json::Entry;
use crate::claim::{Claim, JudgedOn, Paper};
use crate::picture::field;

/// A table: a row for each sentence about performance that a report has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Heads of the columns.
    pub head: Vec<String>,
    /// Cells; the first one is the name of the claim.
    pub rows: Vec<Vec<String>>,
}

/// Compares reports. The results of all of them are judged by today's rows and rule, from their intervals.
pub fn compare(papers: &[&Paper], reports: &[&Report]) -> Comparison {
    let mut machines: Vec<&str> = Vec::new();
    for run in reports.iter().flat_map(|report| &report.runs) {
        if !machines.contains(&run.machine()) {
            machines.push(run.machine());
        }
    }
    let first = ["claim", "the paper", "decided by", "its card", "trace"];
    let head = first.iter().chain(&machines).map(|&head| head.to_owned()).collect();
    let all =
        papers.iter().flat_map(|paper| paper.claims.iter().map(move |claim| (paper.id, claim)));
    let rows = all.filter(|(_, claim)| claim.is_performance()).filter_map(|(paper, claim)| {
        let (entry, columns) = of_reports(&format!("{paper}/{}", claim.id), claim, reports)?;
        let of = |is_it: &dyn Fn(&Column) -> bool| {
            let its: Vec<&Column> = columns.iter().filter(|one| is_it(one)).collect();
            cell(&its)
        };
        let decided = match claim.judged_on {
            JudgedOn::Measurement => "measurement",
            other => deciding(other).name(),
        };
        let mut row = vec![entry.id.clone(), claim.printed(), decided.to_owned()];
        row.push(of(&|one| one.source == Source::Card));
        row.push(of(&|one| one.source == Source::Trace));
        row.extend(machines.iter().map(|&machine| of(&|one| one.machine == machine)));
        Some(row)
    });
    Comparison { rows: rows.collect(), head }
}

/// The columns of a row over all reports: those of the first report that has it, and of the others.
fn of_reports<'r>(
    id: &str,
    claim: &Claim,
    reports: &[&'r Report],
) -> Option<(&'r Entry, Vec<Column>)> {
    let own = |report: &&'r Report| {
        report.claims.iter().find(|entry| entry.id == id && entry.inputs.is_empty())
    };
    let at = reports.iter().position(|report| own(report).is_some())?;
    let entry = own(&reports[at])?;
    Some((entry, columns(claim, entry, reports[at].run_of(&entry.run)?, &reports[at + 1..])))
}

impl Comparison {
    /// The rows of one paper.
    pub fn of(&self, paper: &str) -> Self {
        let is_of = |row: &&Vec<String>| row[0].split('/').next() == Some(paper);
        Self { head: self.head.clone(), rows: self.rows.iter().filter(is_of).cloned().collect() }
    }

    /// In Markdown; columns without any number are left out.
    pub fn markdown(&self) -> String {
        let is_shown = |at: usize| at == 0 || self.rows.iter().any(|row| row[at] != "–");
        let shown: Vec<usize> = (0..self.head.len()).filter(|&at| is_shown(at)).collect();
        let line = |cells: &[String]| {
            let cells = shown.iter().map(|&at| cells[at].replace('|', "\\|"));
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        let rows = self.rows.iter().map(|row| {
            let mut row = row.clone();
            row[0] = format!("`{}`", row[0]);
            line(&row)
        });
        format!("{}|{}\n{}", line(&self.head), "---|".repeat(shown.len()), rows.collect::<String>())
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        let lines = [&self.head].into_iter().chain(&self.rows);
        let line = |cells: &Vec<String>| {
            cells.iter().map(|cell| field(cell)).collect::<Vec<_>>().join(",") + "\n"
        };
        lines.map(line).collect()
    }
}
