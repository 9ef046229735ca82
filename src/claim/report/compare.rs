//! The sentences about performance in two reports or more, side by side.

use super::Report;
use super::columns::{Column, Source, cell, columns, deciding};
use super::json::Entry;
use crate::base::table::csv_line;
use crate::claim::{Claim, JudgedOn, Paper, Table};

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
            JudgedOn::Measurement if claim.is_of_its_card() => "model",
            JudgedOn::Measurement => "measurement",
            other => deciding(other).name(),
        };
        let mut row = vec![entry.id.clone(), claim.printed.to_owned(), decided.to_owned()];
        let has_kit = columns.iter().any(|one| one.source == Source::Kit);
        let card = if has_kit { Source::Kit } else { Source::Card };
        row.push(of(&|one| one.source == card));
        row.push(of(&|one| one.source == Source::Trace));
        row.extend(machines.iter().map(|&machine| of(&|one| one.machine == machine)));
        Some(row)
    });
    Comparison { rows: rows.collect(), head }
}

/// The columns of a row over all reports: those of the first report that has it, and of the others.
pub fn of_reports<'r>(
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
        let is_shown = |&at: &usize| at == 0 || self.rows.iter().any(|row| row[at] != "–");
        let shown: Vec<usize> = (0..self.head.len()).filter(is_shown).collect();
        let mut table = Table::new("", shown.iter().map(|&at| &*self.head[at]));
        for row in &self.rows {
            let others = shown[1..].iter().map(|&at| row[at].clone());
            table.row([format!("`{}`", row[0])].into_iter().chain(others));
        }
        table.markdown(|_| false)
    }

    /// As CSV.
    pub fn csv(&self) -> String {
        [&self.head].into_iter().chain(&self.rows).map(csv_line).collect()
    }
}
