//! README's table of claims is that of the reports in `figures/<paper>/report.json`, which are those of
//! the full runs.
//!
//! A new run is taken over by
//!
//! ```text
//! fragstream reproduce [PAPER|ID…] --out report
//! REPORT=report/report.json cargo test --test it takes_over -- --ignored
//! ```
//!
//! which replaces the entries of the claims that ran, drops those of claims that are not made any more,
//! and writes the table. Without `REPORT` it writes the table of the reports as they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use fragstream::claim::Claim;
use fragstream::claim::report::markdown;
use fragstream::experiments::experiments;
use serde::{Deserialize, Serialize};

use crate::claim::readme::{readme, root};

const HOW: &str = "take a run of it over, as tests/claim/table.rs says";
const BEGIN: &str = "<!-- claims -->\n";
const END: &str = "<!-- end of claims -->";

/// A report, as `fragstream reproduce` writes it.
#[derive(Default, Deserialize, Serialize)]
struct Document {
    machine: BTreeMap<String, String>,
    claims: Vec<Entry>,
}

#[derive(Clone, Deserialize, Serialize)]
struct Entry {
    id: String,
    class: String,
    variant: String,
    judged_on: String,
    paper: String,
    measured: String,
    verdict: String,
    why: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    model: String,
    figures: Vec<String>,
}

impl Entry {
    fn row(&self) -> [&str; 7] {
        let (variant, judged_on) = (self.variant.as_str(), self.judged_on.as_str());
        let (measured, verdict) = (self.measured.as_str(), self.verdict.as_str());
        let (id, class, paper) = (self.id.as_str(), self.class.as_str(), self.paper.as_str());
        [id, class, variant, judged_on, paper, measured, verdict]
    }
}

fn file(paper: &str) -> PathBuf {
    root().join("figures").join(paper).join("report.json")
}

fn read(path: PathBuf) -> Document {
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The claims of each paper, and of none alone, in the order of the experiments.
fn claims() -> Vec<(&'static str, Vec<Claim>)> {
    let mut papers: Vec<(&str, Vec<Claim>)> = Vec::new();
    for claim in experiments().iter().flat_map(|e| e.claims) {
        match papers.last_mut() {
            Some((paper, claims)) if *paper == claim.paper_id() => claims.push(*claim),
            _ => papers.push((claim.paper_id(), vec![*claim])),
        }
    }
    papers
}

fn table_of_reports() -> String {
    let papers = claims().into_iter();
    let entries: Vec<Entry> = papers
        .flat_map(|(paper, _)| read(file(paper)).claims)
        .collect();
    markdown::table(entries.iter().map(Entry::row))
}

#[test]
fn every_claim_stands_in_its_paper_s_report_as_it_is_made() {
    for (paper, claims) in claims() {
        let entries = read(file(paper)).claims;
        for (claim, entry) in claims.iter().zip(&entries) {
            let made = [claim.id, claim.class.name(), claim.variant.name()];
            let made = (made, [claim.judged_on.name(), claim.paper]);
            let [id, class, variant, judged_on, paper, ..] = entry.row();
            let stands = ([id, class, variant], [judged_on, paper]);
            assert_eq!(made, stands, "{HOW}");
        }
        let surplus = claims[entries.len().min(claims.len())..].iter();
        let missing: Vec<&str> = surplus.map(|claim| claim.id).collect();
        assert_eq!(entries.len(), claims.len(), "{missing:?} missing: {HOW}");
    }
}

#[test]
fn the_table_is_that_of_the_reports() {
    let readme = readme();
    let table = readme.split(BEGIN).nth(1).expect(BEGIN);
    let table = table.split(END).next().expect(END);
    for (stands, should) in table.lines().zip(table_of_reports().lines()) {
        assert_eq!(stands, should, "{HOW}");
    }
    assert_eq!(table, table_of_reports(), "{HOW}");
}

/// `old` with what `new` says of these claims, in their order.
fn merged(claims: &[Claim], old: Document, new: &Document) -> Document {
    let quick = new.machine.get("mode").is_some_and(|mode| mode == "quick");
    let of = |document: &Document, claim: &Claim| {
        let entries = &document.claims;
        entries.iter().find(|entry| entry.id == claim.id).cloned()
    };
    let kept = |claim: &Claim| of(&old, claim);
    let of_run = |claim: &Claim| {
        let mut entry = of(new, claim)?;
        // What comes out the same is not said to be of a quick run.
        let same = kept(claim).is_some_and(|old| old.measured == entry.measured);
        if quick && !same {
            entry.measured += " (quick run)";
        }
        Some(entry)
    };
    let all_ran = claims.iter().all(|claim| of_run(claim).is_some());
    let entries = claims
        .iter()
        .filter_map(|claim| of_run(claim).or_else(|| kept(claim)));
    Document {
        claims: entries.collect(),
        machine: match all_ran {
            true => new.machine.clone(),
            false => old.machine,
        },
    }
}

#[test]
#[ignore = "writes README.md and figures/*/report.json"]
fn takes_over_a_report() {
    let new =
        std::env::var("REPORT").map_or_else(|_| Document::default(), |path| read(path.into()));
    for (paper, claims) in claims() {
        let path = file(paper);
        let old = if path.exists() {
            read(path.clone())
        } else {
            Document::default()
        };
        let text = serde_json::to_string_pretty(&merged(&claims, old, &new)).expect("strings");
        fs::write(path, text + "\n").expect("a report");
    }
    let readme = readme();
    let (before, rest) = readme.split_once(BEGIN).expect(BEGIN);
    let (_, after) = rest.split_once(END).expect(END);
    let text = format!("{before}{BEGIN}{}{END}{after}", table_of_reports());
    fs::write(root().join("README.md"), text).expect("README.md");
}

#[test]
fn a_run_replaces_what_it_ran_and_keeps_the_rest_in_the_order_of_the_claims() {
    let all = claims();
    let claims = &all[0].1[..3];
    let document = |numbers: &[usize], measured: &str, mode: &str| Document {
        machine: [("mode".to_owned(), mode.to_owned())].into(),
        claims: (numbers.iter())
            .map(|&n| Entry {
                id: claims[n].id.into(),
                class: "exact".into(),
                variant: "paper".into(),
                judged_on: "count".into(),
                paper: String::new(),
                measured: measured.into(),
                verdict: "reproduced".into(),
                why: String::new(),
                model: String::new(),
                figures: Vec::new(),
            })
            .collect(),
    };
    let measured = |document: &Document| -> Vec<String> {
        document
            .claims
            .iter()
            .map(|entry| entry.measured.clone())
            .collect()
    };
    let part = merged(
        claims,
        document(&[0, 1, 2], "old", "full"),
        &document(&[1], "new", "quick"),
    );
    assert_eq!(measured(&part), ["old", "new (quick run)", "old"]);
    assert_eq!(part.machine["mode"], "full");
    let whole = merged(
        claims,
        document(&[1], "old", "quick"),
        &document(&[2, 1, 0], "new", "full"),
    );
    assert_eq!(measured(&whole), ["new"; 3]);
    assert_eq!(whole.machine["mode"], "full");
}
