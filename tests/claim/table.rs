//! `figures/report.json` is the report of the last run that was taken over; each row names its run, and the mode. The
//! pages' tables are made of it (`pages.rs`).
//!
//! A new run, of all claims or of some, is taken over by
//!
//! ```text
//! fragstream reproduce [PAPER|ID…] --out report
//! REPORT=report cargo test --test it takes_over_a_report -- --ignored
//! ```
//!
//! which replaces the entries of the claims that ran, drops those of claims that are not made any more, copies figures
//! and tables next to the pages, and writes the pages' tables. Without `REPORT` it writes the tables of the report as
//! it is.

use std::fs;
use std::path::{Path, PathBuf};

use fragstream::claim::report::json::{Document, Entry};
use fragstream::papers::PAPERS;

use crate::claim::pages;
use crate::claim::readme::root;

pub const HOW: &str = "take a run of it over, as tests/claim/table.rs says";

fn read(path: &Path) -> Document {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn file() -> PathBuf {
    root().join("figures/report.json")
}

/// The committed report.
pub fn committed() -> Document {
    read(&file())
}

/// The names of all claims, in the papers' order.
fn ids() -> Vec<String> {
    let papers = PAPERS.iter();
    let ids = papers.flat_map(|paper| {
        let claims = paper.claims.iter();
        claims.map(|claim| format!("{}/{}", paper.id, claim.id))
    });
    ids.collect()
}

#[test]
fn every_claim_is_in_the_committed_report_as_it_is_made() {
    let entries = committed().claims;
    let claims = PAPERS.iter().flat_map(|paper| paper.claims);
    for (claim, entry) in claims.zip(&entries) {
        let made = [claim.class.name(), claim.variant.name(), claim.judged_on.name()];
        // Whether the paper's card could have run all of it is known only after a run.
        let variant = entry.variant.trim_end_matches(", beyond its card");
        let stands = [entry.class.as_str(), variant, entry.judged_on.as_str()];
        assert_eq!((made, claim.printed()), (stands, entry.paper.clone()), "{}: {HOW}", entry.id);
    }
    for entry in &entries {
        assert!(entry.run.contains(", full, "), "{}: {HOW}", entry.id);
    }
    let there: Vec<&str> = entries.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(there, ids(), "{HOW}");
    for file in entries.iter().flat_map(|entry| entry.figures.iter().chain(&entry.tables)) {
        assert!(root().join("figures").join(file).exists(), "{file} is missing: {HOW}");
    }
}

/// `old` with the entries of `new`, in the order of these claims.
fn merged(ids: &[String], old: &Document, new: &Document) -> Document {
    let of = |document: &Document, id: &String| -> Option<Entry> {
        document.claims.iter().find(|entry| entry.id == *id).cloned()
    };
    let all_ran = ids.iter().all(|id| of(new, id).is_some());
    Document {
        run: if all_ran { new } else { old }.run.clone(),
        claims: ids.iter().filter_map(|id| of(new, id).or_else(|| of(old, id))).collect(),
    }
}

#[test]
#[ignore = "writes figures/report.json and the pages made of it"]
fn takes_over_a_report() {
    if let Some(folder) = std::env::var_os("REPORT").map(PathBuf::from) {
        let new = read(&folder.join("report.json"));
        let old = if file().exists() { committed() } else { Document::default() };
        for name in new.claims.iter().flat_map(|entry| entry.figures.iter().chain(&entry.tables)) {
            for name in [name.clone(), pages::csv_of(name)] {
                let (from, to) = (folder.join(&name), root().join("figures").join(&name));
                if from.exists() {
                    fs::copy(&from, to).unwrap_or_else(|e| panic!("{name}: {e}"));
                }
            }
        }
        fs::write(file(), merged(&ids(), &old, &new).text()).expect("a report");
    }
    pages::write();
}

#[test]
fn a_run_replaces_what_it_ran_and_keeps_the_rest_in_the_order_of_the_claims() {
    let ids: Vec<String> = ["a", "b", "c"].map(String::from).into();
    let document = |names: &[&str], measured: &str| {
        let entry = |id: &&str| Entry {
            id: (*id).to_owned(),
            measured: measured.to_owned(),
            ..Entry::default()
        };
        Document { claims: names.iter().map(entry).collect(), ..Document::default() }
    };
    let part = merged(&ids, &document(&["a", "b", "d"], "old"), &document(&["c", "b"], "new"));
    let measured: Vec<(&str, &str)> =
        (part.claims.iter()).map(|entry| (entry.id.as_str(), entry.measured.as_str())).collect();
    assert_eq!(measured, [("a", "old"), ("b", "new"), ("c", "new")]);
}
